//! How much of a page may be spent on details.

/// The most bytes of a page of up to 1,000 trials.
const PAGE: usize = 590_000;

/// The most bytes per trial of a larger run.
const TRIAL: usize = 590;

/// What is kept free for the seams between parts.
const SEAMS: usize = 4_000;

/// The bytes that are left for details.
#[derive(Debug)]
pub(super) struct Budget {
    left: usize,
}

impl Budget {
    /// What a page of this many trials may have when `spent` bytes stand already.
    pub(super) const fn new(trials: usize, spent: usize) -> Self {
        let page = if trials * TRIAL > PAGE { trials * TRIAL } else { PAGE };
        Self { left: page.saturating_sub(spent + SEAMS) }
    }

    /// Whether this many bytes still fit; if so they are spent.
    pub(super) const fn take(&mut self, bytes: usize) -> bool {
        let fits = bytes <= self.left;
        if fits {
            self.left -= bytes;
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_costs_nothing() {
        let mut budget = Budget::new(3, PAGE - SEAMS - 10);
        assert!(budget.take(6) && !budget.take(5) && budget.take(4) && !budget.take(1));
        assert!(!Budget::new(3, 2 * PAGE).take(1));
        assert!(Budget::new(10_000, PAGE).take(5_000_000));
    }
}
