//! Laws that every pass must satisfy: it ends, it never makes a case worse, and it does not improve
//! the result of a whole shrink.

use std::rc::Rc;

use super::super::{Budget, Shrinker};
use super::PASSES;
use crate::source::Source;
use crate::subject::{RunVerdict, Subject};
use crate::test_program::{RandomTestProgram, test_seed};

#[test]
fn every_pass_ends_and_never_makes_a_case_worse() {
    for pass in PASSES {
        let mut n_better = 0;
        for number in 0..150 {
            let mut program = RandomTestProgram::new(number);
            let mut source = Source::new(program.kinds.clone());
            source.record(test_seed(number), 60);
            let RunVerdict::Fail(identity) = program.run(&mut source) else { continue };
            let case = source.recorded_case();
            let budget = Budget { max_executions: 100_000, should_continue: &mut || true };
            let mut shrinker =
                Shrinker::new(&mut program, &mut source, &case, identity, budget);
            assert_eq!(shrinker.reproduce(), Ok(true));
            let before = Rc::clone(&shrinker.best);
            assert_eq!((pass.run)(&mut shrinker), Ok(()), "{} ends", pass.name);
            let order = shrinker.best.compare(&before, shrinker.source.kinds());
            assert!(order.is_le(), "{}", pass.name);
            n_better += u32::from(order.is_lt());
        }
        // These programs need these passes; the shrink specimens show what the others are for.
        let is_needed = ["siblings", "blank", "windows", "zeros", "lower"].contains(&pass.name);
        assert!(n_better > 0 || !is_needed, "{}", pass.name);
    }
}

#[test]
fn no_pass_improves_a_minimum() {
    for number in 0..60 {
        let mut program = RandomTestProgram::new(number);
        let mut source = Source::new(program.kinds.clone());
        source.record(test_seed(number), 60);
        let RunVerdict::Fail(identity) = program.run(&mut source) else { continue };
        let case = source.recorded_case();
        let budget = Budget { max_executions: 100_000, should_continue: &mut || true };
        let mut shrinker = Shrinker::new(&mut program, &mut source, &case, identity, budget);
        assert_eq!(shrinker.reproduce(), Ok(true));
        assert_eq!(shrinker.run(), Ok(()));
        let minimum = Rc::clone(&shrinker.best);
        for pass in PASSES {
            assert_eq!((pass.run)(&mut shrinker), Ok(()));
            assert!(Rc::ptr_eq(&minimum, &shrinker.best), "{}", pass.name);
        }
    }
}
