//! Calls: most are looked into; a few functions of the standard library are known by name.

use gainsay_core::{FunctionId, Literal, Ty, TyId};

use super::symbol::{Place, Symbol, View};
use super::{Solved, Solver, Want};
use crate::domain::{Domain, Floats};

impl Solver<'_> {
    /// The values for which a call is true, or false.
    pub(super) fn call_truth(
        &mut self,
        function: FunctionId,
        args: Vec<Symbol>,
        want: Want,
    ) -> Solved {
        let definition = self.program.function(function);
        let module = self.program.module(definition.module);
        if module.is_std {
            match (&*module.name, &*definition.name, &args[..]) {
                ("list", "all", [list, each]) => return self.all(list, each, want),
                ("list", "any", [list, each]) => return self.any(list, each, want),
                ("float", "is_finite", [float]) => {
                    let finite = Floats::numbers(f64::MIN, f64::MAX);
                    return self.float_in(float, &finite, want);
                }
                ("float", "is_infinite", [float]) => {
                    let infinite = Floats::above(f64::MAX).join(&Floats::below(f64::MIN));
                    return self.float_in(float, &infinite, want);
                }
                _ => {}
            }
        }
        self.apply(function, args, want)
    }

    pub(super) fn call_value_truth(
        &mut self,
        callee: &Symbol,
        args: Vec<Symbol>,
        want: Want,
    ) -> Solved {
        match callee {
            Symbol::Function(function, captures) => {
                let args = captures.iter().cloned().chain(args).collect();
                self.apply(*function, args, want)
            }
            _ => Solved::unknown(),
        }
    }

    fn float_in(&mut self, symbol: &Symbol, floats: &Floats, want: Want) -> Solved {
        let floats = if want == Want::True { floats.clone() } else { floats.not() };
        match symbol {
            Symbol::Subject(place) => {
                self.at(place, Solved::exactly(Domain::of_floats(floats)))
            }
            Symbol::Literal(Literal::Float(it)) if !it.is_nan() => {
                Solved::from(!Floats::numbers(*it, *it).meet(&floats).is_empty())
            }
            _ => Solved::unknown(),
        }
    }

    //   p(x) for each x in xs ⇔ every element is in the domain of p, which is that of another
    //   value: what p says of the whole cannot be said of each element at once
    fn all(&mut self, list: &Symbol, each: &Symbol, want: Want) -> Solved {
        if let Symbol::List(items) = list {
            return self.each_of(items, each, want, want);
        }
        if want == Want::False {
            return Solved::unknown();
        }
        self.every(list, each, Want::True)
    }

    fn any(&mut self, list: &Symbol, each: &Symbol, want: Want) -> Solved {
        if let Symbol::List(items) = list {
            return self.each_of(items, each, want.not(), want);
        }
        if want == Want::True {
            return Solved::unknown();
        }
        self.every(list, each, Want::False)
    }

    /// The values for which all elements of a known list are so, or not all.
    fn each_of(&mut self, items: &[Symbol], each: &Symbol, all: Want, want: Want) -> Solved {
        let mut solved = Solved::from(all == Want::True);
        for item in items {
            let holds = self.call_value_truth(each, vec![item.clone()], want);
            solved = if all == Want::True { solved.and(holds) } else { solved.or(holds) };
        }
        solved
    }

    /// The values all of whose elements are so.
    fn every(&mut self, list: &Symbol, each: &Symbol, want: Want) -> Solved {
        let (place, view) = match list {
            Symbol::Subject(place) => (place, View::Items),
            Symbol::View(place, view) => (place, *view),
            _ => return Solved::unknown(),
        };
        let Some(ty) = self.element_type(place, view) else { return Solved::unknown() };
        let outer = std::mem::replace(&mut self.root, self.n_roots);
        self.n_roots += 1;
        let element = Symbol::Subject(Place { root: self.root, hops: Vec::new(), ty });
        let solved = self.call_value_truth(each, vec![element], want);
        self.root = outer;
        self.with_items(place, view, solved)
    }

    fn element_type(&mut self, place: &Place, view: View) -> Option<TyId> {
        let base = self.types.get(self.types.base(place.ty)).clone();
        match (view, base) {
            (View::Chars, Ty::Str) => Some(gainsay_core::TypeTable::CHAR),
            (View::Items, Ty::List(item) | Ty::Set(item)) => Some(item),
            (View::Keys, Ty::Map(key, _)) => Some(key),
            (View::Values, Ty::Map(_, value)) => Some(value),
            (View::Entries, Ty::Map(key, value)) => {
                Some(self.types.intern(Ty::Tuple([key, value].into())))
            }
            _ => None,
        }
    }
}
