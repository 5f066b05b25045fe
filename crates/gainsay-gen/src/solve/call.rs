//! Calls: most are followed; a few functions of the standard library are known by name.

use gainsay_core::{FunctionId, Literal, Ty, TyId};

use super::symbolic_value::{ElementView, SubjectPath, SymbolicValue};
use super::{PredicateSolution, PredicateSolver, WantedTruth};
use crate::domain::{Domain, FloatSet};

impl PredicateSolver<'_> {
    /// The values for which a call has the wanted truth value.
    pub(super) fn call_truth(
        &mut self,
        function: FunctionId,
        args: Vec<SymbolicValue>,
        want: WantedTruth,
    ) -> PredicateSolution {
        let definition = self.program.function(function);
        let module = self.program.module(definition.module);
        if module.is_std {
            match (&*module.name, &*definition.name, &args[..]) {
                ("list", "all", [list, each]) => return self.all(list, each, want),
                ("list", "any", [list, each]) => return self.any(list, each, want),
                ("float", "is_finite", [float]) => {
                    let finite = FloatSet::numbers(f64::MIN, f64::MAX);
                    return self.float_in(float, &finite, want);
                }
                ("float", "is_infinite", [float]) => {
                    let infinite = FloatSet::above(f64::MAX).join(&FloatSet::below(f64::MIN));
                    return self.float_in(float, &infinite, want);
                }
                _ => {}
            }
        }
        self.solve_call(function, args, want)
    }

    pub(super) fn call_value_truth(
        &mut self,
        callee: &SymbolicValue,
        args: Vec<SymbolicValue>,
        want: WantedTruth,
    ) -> PredicateSolution {
        match callee {
            SymbolicValue::Function(function, captures) => {
                let args = captures.iter().cloned().chain(args).collect();
                self.solve_call(*function, args, want)
            }
            _ => PredicateSolution::unknown(),
        }
    }

    fn float_in(
        &mut self,
        symbol: &SymbolicValue,
        floats: &FloatSet,
        want: WantedTruth,
    ) -> PredicateSolution {
        let floats = if want == WantedTruth::True { floats.clone() } else { floats.not() };
        match symbol {
            SymbolicValue::Subject(place) => {
                self.with_part_in(place, PredicateSolution::exactly(Domain::of_floats(floats)))
            }
            SymbolicValue::Literal(Literal::Float(it)) if !it.is_nan() => {
                PredicateSolution::from(!FloatSet::numbers(*it, *it).meet(&floats).is_empty())
            }
            _ => PredicateSolution::unknown(),
        }
    }

    // p(x) for all x in xs  ⇔  every element is in the domain of p. The element is a subject of
    // its own, so what p says about the whole value is lost.
    fn all(
        &mut self,
        list: &SymbolicValue,
        each: &SymbolicValue,
        want: WantedTruth,
    ) -> PredicateSolution {
        if let SymbolicValue::List(items) = list {
            return self.each_of(items, each, want, want);
        }
        if want == WantedTruth::False {
            return PredicateSolution::unknown();
        }
        self.every(list, each, WantedTruth::True)
    }

    fn any(
        &mut self,
        list: &SymbolicValue,
        each: &SymbolicValue,
        want: WantedTruth,
    ) -> PredicateSolution {
        if let SymbolicValue::List(items) = list {
            return self.each_of(items, each, want.not(), want);
        }
        if want == WantedTruth::True {
            return PredicateSolution::unknown();
        }
        self.every(list, each, WantedTruth::False)
    }

    /// The values for which the predicate has the truth value `want` on all elements of a known
    /// list, or, if `all` is false, on some.
    fn each_of(
        &mut self,
        items: &[SymbolicValue],
        each: &SymbolicValue,
        all: WantedTruth,
        want: WantedTruth,
    ) -> PredicateSolution {
        let mut solved = PredicateSolution::from(all == WantedTruth::True);
        for item in items {
            let holds = self.call_value_truth(each, vec![item.clone()], want);
            solved =
                if all == WantedTruth::True { solved.and(holds) } else { solved.or(holds) };
        }
        solved
    }

    /// The values all of whose elements have the wanted truth value.
    fn every(
        &mut self,
        list: &SymbolicValue,
        each: &SymbolicValue,
        want: WantedTruth,
    ) -> PredicateSolution {
        let (place, view) = match list {
            SymbolicValue::Subject(place) => (place, ElementView::Items),
            SymbolicValue::View(place, view) => (place, *view),
            _ => return PredicateSolution::unknown(),
        };
        let Some(ty) = self.element_type(place, view) else {
            return PredicateSolution::unknown();
        };
        // Solve for the element as a root of its own. A part of the outer value then has another
        // root, and `with_part_in` treats it as unknown.
        let outer = std::mem::replace(&mut self.root, self.n_roots);
        self.n_roots += 1;
        let element =
            SymbolicValue::Subject(SubjectPath { root: self.root, segments: Vec::new(), ty });
        let solved = self.call_value_truth(each, vec![element], want);
        self.root = outer;
        self.with_items(place, view, solved)
    }

    fn element_type(&mut self, place: &SubjectPath, view: ElementView) -> Option<TyId> {
        let base = self.types.get(self.types.base(place.ty)).clone();
        match (view, base) {
            (ElementView::Chars, Ty::Str) => Some(gainsay_core::TypeTable::CHAR),
            (ElementView::Items, Ty::List(item) | Ty::Set(item)) => Some(item),
            (ElementView::Keys, Ty::Map(key, _)) => Some(key),
            (ElementView::Values, Ty::Map(_, value)) => Some(value),
            (ElementView::Entries, Ty::Map(key, value)) => {
                Some(self.types.intern(Ty::Tuple([key, value].into())))
            }
            _ => None,
        }
    }
}
