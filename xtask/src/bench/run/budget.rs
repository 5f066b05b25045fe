//! Budgets: targets for figures, and a count of those missed.

/// The budgets checked so far.
#[derive(Default)]
pub(super) struct BenchBudgets {
    n_asked: usize,
    n_missed: usize,
}

/// Whether a figure meets its budget.
enum BudgetVerdict {
    Met,
    Missed,
}

impl BenchBudgets {
    /// Demands that a figure is at least the budget; returns the text to print beside it.
    pub(super) fn at_least(&mut self, budget: f64, found: f64) -> String {
        let verdict = if found >= budget { BudgetVerdict::Met } else { BudgetVerdict::Missed };
        format!(">= {budget} {}", self.count(verdict))
    }

    /// Demands that a figure is at most the budget; returns the text to print beside it.
    pub(super) fn at_most(&mut self, budget: f64, found: f64) -> String {
        let verdict = if found <= budget { BudgetVerdict::Met } else { BudgetVerdict::Missed };
        format!("<= {budget} {}", self.count(verdict))
    }

    fn count(&mut self, verdict: BudgetVerdict) -> &'static str {
        self.n_asked += 1;
        match verdict {
            BudgetVerdict::Met => "met",
            BudgetVerdict::Missed => {
                self.n_missed += 1;
                "missed"
            }
        }
    }

    /// The number of missed budgets, as a line.
    pub(super) fn summary(&self) -> String {
        format!("budgets missed: {} of {}", self.n_missed, self.n_asked)
    }
}

#[cfg(test)]
mod tests {
    use super::BenchBudgets;

    #[test]
    fn a_budget_is_met_at_its_bound() {
        let mut budgets = BenchBudgets::default();
        assert_eq!(budgets.at_least(0.7, 0.7), ">= 0.7 met");
        assert_eq!(budgets.at_least(0.7, 0.69), ">= 0.7 missed");
        assert_eq!(budgets.at_most(100.0, 100.0), "<= 100 met");
        assert_eq!(budgets.summary(), "budgets missed: 1 of 3");
    }

    #[test]
    fn what_is_no_number_meets_nothing() {
        let mut budgets = BenchBudgets::default();
        assert_eq!(budgets.at_least(0.7, f64::NAN), ">= 0.7 missed");
        assert_eq!(budgets.at_most(0.7, f64::NAN), "<= 0.7 missed");
    }
}
