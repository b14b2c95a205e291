"""The official Python SDK as a client: starts an MCP server over stdio, asks the questions of a JSON array, and prints
every answer as one JSON array. The SDK checks structured content against output schemas by itself.

python client.py QUESTIONS_FILE COMMAND [ARGUMENT...]
"""

import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

METHODS = {
    "listTools": "list_tools",
    "callTool": "call_tool",
    "listResources": "list_resources",
    "readResource": "read_resource",
    "listPrompts": "list_prompts",
    "getPrompt": "get_prompt",
}


def dumped(answer):
    return answer.model_dump(mode="json", by_alias=True, exclude_none=True)


async def ask(session, question):
    method, params = question["method"], question.get("params", {})
    call = getattr(session, METHODS[method])
    if method in ("callTool", "getPrompt"):
        return dumped(await call(params["name"], params.get("arguments", {})))
    return dumped(await call(**params))


async def main(questions_file, command, *args):
    with open(questions_file, encoding="utf-8") as file:
        questions = json.load(file)
    answers = []
    server = StdioServerParameters(command=command, args=list(args), env=dict(os.environ))
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            begun = dumped(await session.initialize())
            answers.append({"server": begun.get("serverInfo"), "instructions": begun.get("instructions")})
            for question in questions:
                try:
                    answers.append({"answer": await ask(session, question)})
                except Exception as error:  # What the SDK refuses is an answer of the test, whatever its type.
                    answers.append({"error": f"{type(error).__name__}: {error}"})
    json.dump(answers, sys.stdout)


asyncio.run(main(*sys.argv[1:]))
