//! Where one provider is asked, with its key in the headers.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};
use rustls::crypto::{CryptoProvider, ring};

use super::call::Clocks;
use crate::error::{ModelError, ModelErrorKind};
use crate::model::ModelIdentity;
use crate::secret::Secret;

/// Why an address or a key cannot be used. Shows neither.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndpointError {
    /// The base url is no absolute http or https address.
    #[error("the base url is not an absolute http or https address")]
    BaseUrl,
    /// The key cannot stand in a header.
    #[error("the key holds characters that no header can carry")]
    Key,
    /// The HTTP client could not be set up.
    #[error("the http client could not be set up: {0}")]
    Client(String),
}

/// Where one provider is asked.
#[derive(Debug, Clone)]
pub(crate) struct Endpoint {
    pub(super) client: Client,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) clocks: Clocks,
    pub(crate) identity: ModelIdentity,
    key: Option<Secret>,
}

impl Endpoint {
    /// An endpoint at this url. `key` is the header that carries the key, its value's prefix, and the key.
    pub(crate) fn new(
        identity: ModelIdentity,
        url: &str,
        key: Option<(&'static str, &str, &Secret)>,
        clocks: Clocks,
    ) -> Result<Self, EndpointError> {
        let url = Url::parse(url).map_err(|_| EndpointError::BaseUrl)?;
        if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
            return Err(EndpointError::BaseUrl);
        }
        let mut headers = HeaderMap::new();
        if let Some((header, prefix, key)) = key {
            let value = format!("{prefix}{}", key.expose());
            let mut value = HeaderValue::from_str(&value).map_err(|_| EndpointError::Key)?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(header), value);
        }
        let client = client(&url)?;
        let key = key.map(|(_, _, key)| key.clone());
        Ok(Self { client, url, headers, clocks, identity, key })
    }

    /// Adds a header that is the same for every request.
    pub(crate) fn with_header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        self
    }

    /// A failure of this provider's, with the key removed from its text.
    pub(crate) fn error(&self, kind: ModelErrorKind, message: &str) -> ModelError {
        ModelError::new(kind, &self.identity.provider, self.redact(message))
    }

    /// The text without the key.
    pub(crate) fn redact(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.redact(text))
    }

    /// The host and port, the only parts of the address that messages show.
    pub(super) fn host(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        match self.url.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }
}

fn client(url: &Url) -> Result<Client, EndpointError> {
    if CryptoProvider::get_default().is_none() {
        // An error means that another thread was first, which is as good.
        let _ = ring::default_provider().install_default();
    }
    let mut builder = Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .pool_idle_timeout(Duration::from_secs(30))
        .user_agent(concat!("howfar/", env!("CARGO_PKG_VERSION")));
    // The proxies of the system apply as they do for other programs, but not on the machine itself.
    if is_loopback(url) {
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| EndpointError::Client(error.to_string()))
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let address = host.parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}
