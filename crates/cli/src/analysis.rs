//! What the static analyses say about a program, as text, for `raddle show --stage analysis`.
//!
//! Everything is said of the user's own code in names and lines of C; the bodies of library
//! functions are analysed, too, but left out here. Each sentence holds in every execution: a pair
//! of lines that is not listed as parallel never is, a mutex that is listed is always held.

use std::collections::BTreeSet;

use raddle_analysis::objects::instructions;
use raddle_analysis::sharing::{Range, WHOLE, range};
use raddle_analysis::{ClassId, Facts, Multiplicity, Object, ObjectId, Role, Structure};
use raddle_ir::{AllocKind, Cfg, FuncId, InstrRef, MemoryUse, Op, Operand, Program};
use raddle_report::wording::counted;

/// An access of shared memory in the user's code.
struct Access {
    at: InstrRef,
    usage: MemoryUse,
    /// The shared memory it may touch.
    parts: Vec<(ObjectId, Range)>,
}

/// All that is known.
pub fn text(program: &Program) -> String {
    let facts = Facts::new(program);
    let view = View { program, facts: &facts };
    let accesses = view.accesses();
    let sections = [
        ("Threads", view.threads()),
        ("Memory that more than one thread can reach", view.memory()),
        ("Where pointers lead", view.pointers()),
        ("Accesses of shared memory, and the mutexes certainly held", view.protected(&accesses)),
        ("Conflicting accesses that may happen in parallel", view.conflicts(&accesses)),
        ("Races, by structure", view.races()),
        ("Loops", view.loops()),
    ];
    let mut text = String::new();
    for (title, rows) in sections {
        text += &format!("{title}:\n");
        if rows.is_empty() {
            text += "  none\n";
        }
        for row in rows {
            text += &format!("  {row}\n");
        }
    }
    text
}

struct View<'a> {
    program: &'a Program,
    facts: &'a Facts,
}

impl View<'_> {
    fn threads(&self) -> Vec<String> {
        let row = |id: ClassId| {
            let class = self.facts.threads.class(id);
            let name = self.class(id);
            let many = match class.multiplicity {
                Multiplicity::Once => "one thread",
                Multiplicity::Many => "possibly many threads",
            };
            let sites: BTreeSet<String> =
                class.sites.iter().map(|chain| self.place(chain[chain.len() - 1], chain)).collect();
            let sites = sites.into_iter().collect::<Vec<_>>().join(", ");
            let created = if sites.is_empty() { sites } else { format!(", created at {sites}") };
            format!("{name}: {many}{created}")
        };
        self.facts.threads.ids().map(row).collect()
    }

    fn memory(&self) -> Vec<String> {
        let sharing = &self.facts.sharing;
        let classes = |ids: Vec<ClassId>| {
            let names = ids.iter().map(|id| self.class(*id)).collect::<Vec<_>>();
            if names.is_empty() { "nobody".to_string() } else { names.join(", ") }
        };
        let mut rows = BTreeSet::new();
        for object in self.facts.points_to.objects().ids() {
            let role = sharing.role(object, WHOLE);
            let Some(name) = self.object(object).filter(|_| role != Role::Local) else { continue };
            rows.insert(match role {
                Role::Local => continue,
                Role::ReadOnly => format!("{name}: not written once there are threads"),
                Role::Owned(class) => format!("{name}: only used by {}", self.class(class)),
                Role::Shared => format!(
                    "{name}: shared; used by {}; written by {}",
                    classes(sharing.accessed_by_threads(object)),
                    classes(sharing.written_by_threads(object)),
                ),
            });
        }
        let mut rows: Vec<String> = rows.into_iter().collect();
        let wild = sharing.wild().iter().filter(|at| self.is_own(**at));
        let wild: BTreeSet<String> = wild.map(|at| self.place(*at, &[])).collect();
        if !wild.is_empty() {
            let places = wild.into_iter().collect::<Vec<_>>().join(", ");
            rows.push(format!("unless an address from nowhere leads to it: {places}"));
        }
        rows
    }

    /// The accesses through pointers, line by line; plain uses of variables are left out.
    fn pointers(&self) -> Vec<String> {
        let mut rows = BTreeSet::new();
        for (at, usage) in self.uses() {
            let locations = self.facts.points_to.locations(at.func, usage.addr);
            let plain = match locations.as_slice() {
                [] => true,
                [(object, _)] => self.is_variable_of(at.func, *object),
                [_, _, ..] => false,
            };
            if plain || !matches!(usage.addr, Operand::Reg(_)) {
                continue;
            }
            let names: BTreeSet<String> = locations
                .iter()
                .map(|&(object, offset)| match self.part(object, range(offset, usage.bytes)) {
                    Some(name) => name,
                    None => "somewhere".into(),
                })
                .collect();
            rows.insert((self.line(at), names.into_iter().collect::<Vec<_>>().join(", ")));
        }
        let show = |((_, place), names)| format!("{place}: {names}");
        rows.into_iter().map(show).collect()
    }

    fn uses(&self) -> impl Iterator<Item = (InstrRef, MemoryUse)> {
        instructions(self.program).filter(|(at, _)| self.is_own(*at)).filter_map(|(at, op)| {
            let usage = op.memory_use(self.program.function(at.func))?;
            let reachable = !self.facts.points_to.instances_of(at.func).is_empty();
            reachable.then_some((at, usage))
        })
    }

    fn accesses(&self) -> Vec<Access> {
        let mut all = Vec::new();
        for (at, usage) in self.uses() {
            let locations = self.facts.points_to.locations(at.func, usage.addr).into_iter();
            let parts: Vec<(ObjectId, Range)> = locations
                .map(|(object, offset)| (object, range(offset, usage.bytes)))
                .filter(|&(object, range)| self.facts.sharing.role(object, range) == Role::Shared)
                .collect();
            if !parts.is_empty() {
                all.push(Access { at, usage, parts });
            }
        }
        all
    }

    fn protected(&self, accesses: &[Access]) -> Vec<String> {
        let mut rows = BTreeSet::new();
        for access in accesses {
            let held = self.facts.locks.held(access.at).iter().map(|&(global, at)| {
                let object = self.facts.points_to.objects().global(global);
                let offset = u64::try_from(at).unwrap_or(0);
                let name = self.part(object, (offset, offset + 4)).unwrap_or_default();
                raddle_report::collect::lock_name(&name)
            });
            let held = match held.collect::<Vec<_>>().join(", ") {
                none if none.is_empty() => "no mutex".to_string(),
                some => some,
            };
            rows.insert((self.line(access.at), format!("{}; {held}", self.describe(access))));
        }
        rows.into_iter().map(|((_, place), text)| format!("{place}: {text}")).collect()
    }

    fn conflicts(&self, accesses: &[Access]) -> Vec<String> {
        let mhp = self.facts.mhp();
        let mut rows = BTreeSet::new();
        for (i, a) in accesses.iter().enumerate() {
            for b in &accesses[i..] {
                let meet = a.parts.iter().any(|x| b.parts.iter().any(|y| overlap(*x, *y)));
                let writes = a.usage.writes || b.usage.writes;
                if meet && writes && mhp.parallel(a.at, b.at) {
                    let mut pair = [a, b].map(|x| (self.line(x.at), self.describe(x)));
                    pair.sort();
                    rows.insert(pair);
                }
            }
        }
        let side = |((_, place), text): &((u32, String), String)| format!("{place} {text}");
        rows.iter().map(|[a, b]| format!("{} | {}", side(a), side(b))).collect()
    }

    /// The pairs of accesses that nothing is known to keep apart, if races can be spoken of.
    fn races(&self) -> Vec<String> {
        match Structure::new(self.program, self.facts) {
            Structure::NoRace { pairs: 0 } => vec!["none: no memory is shared and written".into()],
            Structure::NoRace { pairs } => {
                vec![format!("none: something keeps {} of accesses apart", counted(pairs, "pairs"))]
            }
            Structure::NoOpinion => vec!["nothing is known".into()],
            Structure::Open(pairs) => {
                let row = |pair: &[InstrRef; 2]| {
                    let mut pair = pair.map(|at| self.line(at));
                    pair.sort();
                    let [(_, a), (_, b)] = pair;
                    format!("perhaps between {a} and {b}")
                };
                let rows: BTreeSet<String> = pairs.iter().map(row).collect();
                rows.into_iter().collect()
            }
        }
    }

    fn loops(&self) -> Vec<String> {
        let mut rows = Vec::new();
        for f in self.program.function_ids() {
            let function = self.program.function(f);
            if function.is_model || self.facts.points_to.instances_of(f).is_empty() {
                continue;
            }
            for (index, l) in Cfg::new(function).loops.iter().enumerate() {
                let bound = match self.facts.loops.bound(f, index) {
                    Some(n) => format!("at most {n} iterations"),
                    None => "any number of iterations".into(),
                };
                let pure = self.facts.loops.is_pure(f, index);
                let pure = if pure { ", each of which changes nothing" } else { "" };
                let at = InstrRef { func: f, block: l.head, index: 0 };
                rows.push((self.line(at), format!("in {}: {bound}{pure}", function.name)));
            }
        }
        rows.sort();
        rows.into_iter().map(|((_, place), text)| format!("{place} {text}")).collect()
    }

    /// What an access does to which memory.
    fn describe(&self, access: &Access) -> String {
        let verb = match (access.usage.reads, access.usage.writes) {
            (true, true) => "updates",
            (false, true) => "writes",
            (true | false, false) => "reads",
        };
        let name = |&(object, range)| self.part(object, range).unwrap_or("something".into());
        let names: BTreeSet<String> = access.parts.iter().map(name).collect();
        format!("{verb} {}", names.into_iter().collect::<Vec<_>>().join(" or "))
    }

    fn is_variable_of(&self, f: FuncId, object: ObjectId) -> bool {
        let object = self.facts.points_to.objects().get(object);
        let Object::Alloc(at, _) = object else { return false };
        let op = self.program.instr(at).map(|i| &i.op);
        at.func == f && matches!(op, Some(Op::Alloc { kind: AllocKind::Stack, .. }))
    }

    fn is_own(&self, at: InstrRef) -> bool {
        !self.program.function(at.func).is_model
    }

    fn class(&self, id: ClassId) -> String {
        // The first thread starts in what calls main.
        if id == ClassId::MAIN {
            return "main".into();
        }
        self.program.function(self.facts.threads.class(id).entry).name.clone()
    }

    /// A line for people, with what it is sorted by.
    fn line(&self, at: InstrRef) -> (u32, String) {
        let place = self.program.place(at);
        (place.line, self.program.show_place(place))
    }

    /// Where an instruction stands in the user's code: itself, or the call that led to it.
    fn place(&self, at: InstrRef, chain: &[InstrRef]) -> String {
        let own = [at].into_iter().chain(chain.iter().rev().copied()).find(|at| self.is_own(*at));
        self.line(own.unwrap_or(at)).1
    }

    /// The name of an object; `None` if users do not know it.
    fn object(&self, id: ObjectId) -> Option<String> {
        self.part(id, WHOLE)
    }

    /// The name of a part of an object.
    fn part(&self, id: ObjectId, (from, to): Range) -> Option<String> {
        let (name, ctype) = match self.facts.points_to.objects().get(id) {
            Object::Global(g) => {
                let global = self.program.global(g);
                (!global.is_model).then(|| (global.name.clone(), global.ctype))?
            }
            Object::Alloc(at, inside) => match self.program.instr(at).map(|i| &i.op) {
                Some(Op::Alloc { name, ctype, .. }) if !name.is_empty() && self.is_own(at) => {
                    (format!("{}:{name}", self.program.function(at.func).name), *ctype)
                }
                Some(_) | None => {
                    let chain = &self.facts.points_to.instance(inside).chain;
                    (format!("[object of {}]", self.place(at, chain)), None)
                }
            },
            Object::Function(_) | Object::Unknown => return None,
        };
        Some(match (from, to) {
            WHOLE => name,
            (from, _) => self.program.show_part(name, ctype, from),
        })
    }
}

fn overlap((a, x): (ObjectId, Range), (b, y): (ObjectId, Range)) -> bool {
    a == b && x.0 < y.1 && y.0 < x.1
}
