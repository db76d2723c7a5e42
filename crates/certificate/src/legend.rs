//! The legend: what the names of a certificate mean in the program.
//!
//! One thing in a line, words separated by blanks, the name behind ` = `. An instruction is
//! `function.block.index`; a way is a list of instructions with `/` between them, calls first. Threads
//! and objects have numbers, from 1 and from 0 on, in the order of lines.
//!
//! ```text
//! thread 2 of 1 way 5.0.3/7.0.2 nth 0 in 9      the first that thread 1 creates there, in function 9
//! object 0 global 4 grain 4                     its cells have 4 bytes
//! object 1 copy 2 global 5 at 65600 grain 4     thread 2's copy of a thread-local global
//! object 2 made 1 way 5.0.1 nth 0 at 65700 size 8 grain 8     `most 8` if the size is not constant
//! place 1 beginning = thread 1 at its beginning
//! place 1 way 5.0.3/7.0.2 sections 0 = thread 1 at a.c:7 in serve
//! register 1 way 5.0.3 in 7 reg 21 = me of thread 1 in serve
//! cell 0 8 = wants[2]                           the bytes of object 0 from offset 8 on
//! life 2 = life of p                            0 before it is made, 1 while it lives, then 2
//! length 2 = size of p                          if that is not constant; 0 before it is made
//! created 2 = …, ended 2 = …, argument 2 0 = …, result 2 = …
//! count 1 way 5.0.1 = …                         how many thread 1 has made there
//! ```

use std::rc::Rc;

use raddle_ir::{AllocKind, BlockId, FuncId, GlobalId, InstrRef, Op, Program, RegId};
use rustc_hash::FxHashMap;

use crate::No;
use crate::state::{Cube, Literal, Var};

/// Calls, outermost first, and perhaps the instruction where they lead.
pub(crate) type Way = Rc<[InstrRef]>;

/// Most bytes of a cell.
const MOST_GRAIN: u64 = 16;

/// A thread that is created.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    /// Who creates it, on which way, and how many that had created there before; none for main.
    pub origin: Option<(usize, Way, u32)>,
    /// Where it starts.
    pub entry: FuncId,
}

/// What an object is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Global(GlobalId),
    Copy(usize, GlobalId),
    /// Made by a thread on a way, as which.
    Made(usize, Way, u32, AllocKind),
}

/// An object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub kind: Kind,
    pub base: u64,
    /// Its size, or the most that it can have.
    pub size: u64,
    /// Whether its size is not constant.
    pub varies: bool,
    /// Bytes of a cell.
    pub grain: u64,
}

/// Where a thread stands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Stand {
    /// The calls that are under way, outermost first.
    pub calls: Way,
    /// The next instruction; none before the thread has begun.
    pub at: Option<InstrRef>,
    /// How many atomic sections it is in.
    pub sections: u32,
}

/// What all names mean.
#[derive(Default, Debug)]
pub(crate) struct Legend {
    pub threads: Vec<Thread>,
    pub objects: Vec<Object>,
    /// By thread: its places, the beginning first.
    pub places: Vec<Vec<Stand>>,
    names: FxHashMap<String, Var>,
}

/// The words of a line that are still to be read.
struct Words<'a> {
    program: &'a Program,
    rest: std::str::SplitWhitespace<'a>,
}

impl Words<'_> {
    fn word(&mut self, expected: &str) -> Option<()> {
        (self.rest.next()? == expected).then_some(())
    }

    fn number<T: std::str::FromStr>(&mut self) -> Option<T> {
        self.rest.next()?.parse().ok()
    }

    fn function(&mut self) -> Option<FuncId> {
        let id = FuncId(self.number()?);
        (id.index() < self.program.functions.len()).then_some(id)
    }

    fn global(&mut self) -> Option<GlobalId> {
        let id = GlobalId(self.number()?);
        (id.index() < self.program.globals.len()).then_some(id)
    }

    /// `way A/B/C`; `-` for none.
    fn way(&mut self) -> Option<Way> {
        self.word("way")?;
        let text = self.rest.next()?;
        if text == "-" {
            return Some(Rc::new([]));
        }
        text.split('/').map(|at| self.instruction(at)).collect()
    }

    fn instruction(&self, text: &str) -> Option<InstrRef> {
        let mut numbers = text.split('.').map(str::parse::<u32>);
        let mut next = || numbers.next()?.ok();
        let (func, block, index) = (FuncId(next()?), BlockId(next()?), next()?);
        let function = self.program.functions.get(func.index())?;
        let instrs = function.blocks.get(block.index())?.instrs.len();
        (index as usize <= instrs).then_some(InstrRef { func, block, index })
    }
}

impl Legend {
    /// Reads the lines of a legend.
    pub fn read(program: &Program, lines: &[String]) -> Result<Legend, No> {
        let mut legend = Legend::default();
        for line in lines {
            let (words, name) = match line.split_once(" = ") {
                Some((words, name)) => (words, Some(name)),
                None => (line.as_str(), None),
            };
            let words = Words { program, rest: words.split_whitespace() };
            legend.line(words, name).ok_or_else(|| No::Legend(line.clone()))?;
        }
        legend.complete(program);
        let begun = |places: &Vec<Stand>| places.first().is_some_and(|p| p.at.is_none());
        let fits = legend.fits(program);
        if legend.threads.is_empty() || !legend.places.iter().all(begun) || !fits {
            return Err(No::Legend("threads and objects".into()));
        }
        Ok(legend)
    }

    fn line(&mut self, mut words: Words, name: Option<&str>) -> Option<()> {
        let what = words.rest.next()?;
        let var = match what {
            "thread" => return self.thread(words),
            "object" => return self.object(words),
            "place" => self.place(&mut words)?,
            "register" => {
                let thread = self.of_thread(&mut words)?;
                let calls = words.way()?;
                words.word("in")?;
                let func = words.function()?;
                words.word("reg")?;
                let reg = RegId(words.number()?);
                words.program.function(func).regs.get(reg.index())?;
                Var::Register(thread, calls, func, reg)
            }
            "cell" => {
                let (object, offset): (usize, u64) = (words.number()?, words.number()?);
                let o = self.objects.get(object)?;
                let end = offset.checked_add(o.grain)?;
                (end <= o.size && offset.is_multiple_of(o.grain)).then_some(())?;
                Var::Cell(object, offset / o.grain)
            }
            "life" => {
                let object: usize = words.number()?;
                let ends = !matches!(self.objects.get(object)?.kind, Kind::Global(_));
                ends.then_some(Var::Life(object))?
            }
            "length" => {
                let object: usize = words.number()?;
                self.objects.get(object)?.varies.then_some(Var::Length(object))?
            }
            "created" => Var::Created(self.of_thread(&mut words)?),
            "ended" => Var::Ended(self.of_thread(&mut words)?),
            "argument" => {
                let (thread, nth) = (self.of_thread(&mut words)?, words.number()?);
                let entry = words.program.function(self.threads[thread].entry);
                entry.params.get(nth as usize)?;
                Var::Argument(thread, nth)
            }
            "result" => Var::Result(self.of_thread(&mut words)?),
            "count" => {
                let thread = self.of_thread(&mut words)?;
                Var::Count(thread, words.way()?)
            }
            _ => return None,
        };
        words.rest.next().is_none().then_some(())?;
        self.names.insert(name?.to_string(), var).is_none().then_some(())
    }

    /// A thread that the legend has, by its number.
    fn of_thread(&self, words: &mut Words) -> Option<usize> {
        let thread = words.number::<usize>()?.checked_sub(1)?;
        (thread < self.threads.len()).then_some(thread)
    }

    fn thread(&mut self, mut words: Words) -> Option<()> {
        (words.number::<usize>()? == self.threads.len() + 1).then_some(())?;
        let thread = if self.threads.is_empty() {
            Thread { origin: None, entry: words.program.entry? }
        } else {
            words.word("of")?;
            let parent = self.of_thread(&mut words)?;
            let way = words.way()?;
            let create = words.program.instr(*way.last()?)?;
            matches!(create.op, Op::Create { .. }).then_some(())?;
            words.word("nth")?;
            let nth = words.number()?;
            words.word("in")?;
            Thread { origin: Some((parent, way, nth)), entry: words.function()? }
        };
        self.threads.push(thread);
        self.places.push(Vec::new());
        Some(())
    }

    fn object(&mut self, mut words: Words) -> Option<()> {
        (words.number::<usize>()? == self.objects.len()).then_some(())?;
        let program = words.program;
        let mut varies = false;
        let (kind, base, size) = match words.rest.next()? {
            "global" => {
                let g = words.global()?;
                let global = program.global(g);
                (!global.thread_local).then_some(())?;
                (Kind::Global(g), global.address, global.size)
            }
            "copy" => {
                let thread = self.of_thread(&mut words)?;
                words.word("global")?;
                let g = words.global()?;
                program.global(g).thread_local.then_some(())?;
                words.word("at")?;
                (Kind::Copy(thread, g), words.number()?, program.global(g).size)
            }
            "made" => {
                let thread = self.of_thread(&mut words)?;
                let way = words.way()?;
                let Op::Alloc { kind, .. } = program.instr(*way.last()?)?.op else { return None };
                words.word("nth")?;
                let nth = words.number()?;
                words.word("at")?;
                let base = words.number()?;
                varies = match words.rest.next()? {
                    "size" => false,
                    "most" => true,
                    _ => return None,
                };
                (Kind::Made(thread, way, nth, kind), base, words.number()?)
            }
            _ => return None,
        };
        words.word("grain")?;
        let grain: u64 = words.number()?;
        ((1..=MOST_GRAIN).contains(&grain)).then_some(())?;
        self.objects.push(Object { kind, base, size, varies, grain });
        Some(())
    }

    fn place(&mut self, words: &mut Words) -> Option<Var> {
        let thread = self.of_thread(words)?;
        let places = self.places[thread].len();
        let stand = match words.rest.clone().next()? {
            "beginning" => {
                words.word("beginning")?;
                (places == 0).then_some(())?;
                Stand { calls: Rc::new([]), at: None, sections: 0 }
            }
            _ => {
                let way = words.way()?;
                words.word("sections")?;
                let (at, calls) = way.split_last()?;
                Stand { calls: calls.into(), at: Some(*at), sections: words.number()? }
            }
        };
        let new = !self.places[thread].contains(&stand);
        self.places[thread].push(stand);
        new.then_some(Var::At(thread, places))
    }

    /// Whether objects are where they can be: in memory, with gaps between them, and where the program
    /// leaves room for them if they are no globals.
    fn fits(&self, program: &Program) -> bool {
        let last = raddle_ir::expr::mask(program.pointer_bits) as u64;
        let made = |o: &Object| !matches!(o.kind, Kind::Global(_));
        let room = |o: &Object| !made(o) || o.base >= program.first_free_address;
        let mut all: Vec<(u64, u64)> =
            self.objects.iter().map(|o| (o.base, o.size.max(1))).collect();
        all.sort_unstable();
        let end = |&(base, size): &(u64, u64)| base.checked_add(size).filter(|end| *end <= last);
        let apart = |pair: &[(u64, u64)]| end(&pair[0]).is_some_and(|end| end < pair[1].0);
        let inside = all.iter().all(|o| o.0 > 0 && end(o).is_some());
        inside && self.objects.iter().all(room) && all.windows(2).all(apart)
    }

    /// Adds the globals that have no line, with cells of one byte.
    fn complete(&mut self, program: &Program) {
        for (g, global) in program.globals.iter().enumerate() {
            let g = GlobalId::new(g);
            let known = |o: &Object| matches!(o.kind, Kind::Global(other) if other == g);
            if !global.thread_local && !self.objects.iter().any(known) {
                let (kind, base, size) = (Kind::Global(g), global.address, global.size);
                self.objects.push(Object { kind, base, size, varies: false, grain: 1 });
            }
        }
    }

    /// The conjuncts of a certificate over variables.
    pub fn cubes(&self, never: &[Vec<(String, bool)>]) -> Result<Vec<Cube>, No> {
        never.iter().map(|n| n.iter().map(|l| self.literal(l)).collect()).collect()
    }

    fn literal(&self, (name, value): &(String, bool)) -> Result<Literal, No> {
        let value = *value;
        if let Some(var) = self.names.get(name) {
            return Ok(Literal { var: var.clone(), bit: 0, value });
        }
        let of_wider = || {
            let (name, bit) = name.rsplit_once(" bit ")?;
            Some(Literal { var: self.names.get(name)?.clone(), bit: bit.parse().ok()?, value })
        };
        of_wider().ok_or_else(|| No::Name(name.clone()))
    }
}
