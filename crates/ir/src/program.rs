//! The whole program: functions, globals, types, source files.

use std::collections::{BTreeMap, BTreeSet};

use crate::ctype::Types;
use crate::expr::{Operand, mask};
use crate::ids::{BlockId, FileId, FuncId, GlobalId, RegId, TypeId};
use crate::instr::{Block, Callee, Instr, InstrRef, Op, Order};
use crate::linear::Linear;
use crate::place::{Place, SourceFile};
use crate::property::PropertySet;

/// A register: a mutable variable of one activation of a function. **Invariant:** on every path
/// it is assigned before it is read (a C variable that may be read uninitialised is assigned an
/// [`crate::Op::Input`] first).
#[derive(Clone, PartialEq, Debug)]
pub struct Register {
    /// Width in bits.
    pub width: u32,
    /// The C variable it stands for, if any.
    pub name: Option<String>,
    /// The C type of that variable.
    pub ctype: Option<TypeId>,
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// The name in the source.
    pub name: String,
    /// The parameters: registers assigned at the call.
    pub params: Vec<RegId>,
    /// Width of the result, if there is one.
    pub result: Option<u32>,
    /// All registers.
    pub regs: Vec<Register>,
    /// The blocks; execution starts at block 0.
    pub blocks: Vec<Block>,
    /// Where it is defined.
    pub place: Place,
    /// Part of the library models: reports show the caller instead.
    pub is_model: bool,
    /// The address that function pointers hold.
    pub address: u64,
}

/// A global variable or constant.
#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    /// The name in the source (`str` literals have made-up names).
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// The first bytes of the initial contents; the rest up to `size` is zero.
    pub init: Vec<u8>,
    /// Where `init` holds addresses (the bytes are filled in already): for points-to analysis.
    pub pointers: Vec<(u64, Operand)>,
    /// Must not be written (writes are memory errors).
    pub constant: bool,
    /// One copy per thread; `address` is meaningless then.
    pub thread_local: bool,
    /// Declared only: its initial contents are arbitrary.
    pub external: bool,
    /// Belongs to a library model.
    pub is_model: bool,
    /// The C type.
    pub ctype: Option<TypeId>,
    /// The base address.
    pub address: u64,
    /// Where it is declared.
    pub place: Place,
}

/// A program: closed, every call resolved to a body or to an `Unsupported` instruction.
#[derive(Clone, Default, Debug)]
pub struct Program {
    /// 32 or 64.
    pub pointer_bits: u32,
    /// The functions.
    pub functions: Vec<Function>,
    /// The globals.
    pub globals: Vec<Global>,
    /// C types.
    pub types: Types,
    /// Source files; entry 0 is "unknown".
    pub files: Vec<SourceFile>,
    /// What calls `main`; it has no parameters itself.
    pub entry: Option<FuncId>,
    /// Which command lines are looked at, if `main` looks at its arguments and they were not given.
    pub arguments: Option<CommandLines>,
    /// Library functions of which it is assumed that they never fail.
    pub never_fail: BTreeSet<&'static str>,
    /// What is checked; decides what `Check` means.
    pub checked: PropertySet,
    /// What is asked about infinite executions, if that is checked.
    pub linear: Linear,
    /// Where the addresses of heap objects go, by the place of the call that gives them.
    pub heap_names: BTreeMap<Place, HeapName>,
    /// Where stack and heap objects may be placed: addresses from here upward are free.
    pub first_free_address: u64,
}

/// Where the address of a new heap object goes, in a call that gives one: what people call the
/// object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeapName {
    /// The variable, with its type, and the way from there; `None` if the address goes to none that
    /// has a name.
    pub goes_to: Option<(String, TypeId, Vec<HeapStep>)>,
    /// The call is one of a library function whose objects only the library knows, such as streams.
    pub opaque: bool,
    /// The function returns the address: its caller may know the object better.
    pub returned: bool,
}

/// A step from a variable to where an address goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HeapStep {
    /// What it points to.
    Behind,
    /// The part at this offset.
    Field(u64),
    /// An element, with its index as people write it.
    Element(String),
}

/// Command lines that a program may be started with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CommandLines {
    /// Arguments, without the name of the program.
    pub most: u32,
    /// Characters of each.
    pub length: u32,
}

impl Program {
    /// Where the user's files ask for a weaker order of memory than the sequentially consistent one
    /// that every access has here, in the order of the text.
    pub fn weak_orders(&self) -> BTreeSet<Place> {
        let instrs = self.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instrs);
        let weak = instrs.filter(|instr| match &instr.op {
            Op::Load { access, .. }
            | Op::Store { access, .. }
            | Op::Rmw { access, .. }
            | Op::CompareExchange { access, .. } => {
                access.atomic.is_some_and(|order| order != Order::SeqCst)
            }
            // A fence is weak only beside accesses that are.
            Op::Fence { .. }
            | Op::ObjectSize { .. }
            | Op::Free { .. }
            | Op::Lock { .. }
            | Op::TryLock { .. }
            | Op::Unlock { .. }
            | Op::Assign { .. }
            | Op::Alloc { .. }
            | Op::ThreadLocal { .. }
            | Op::Call { .. }
            | Op::Create { .. }
            | Op::Join { .. }
            | Op::ThreadExit { .. }
            | Op::ThreadSelf { .. }
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Block { .. }
            | Op::Assume { .. }
            | Op::Check { .. }
            | Op::Input { .. }
            | Op::Exit { .. }
            | Op::Unsupported { .. } => false,
        });
        let places = weak.map(|instr| instr.place);
        places.filter(|p| p.is_known() && !self.file(p.file).is_model).collect()
    }

    /// Bytes of an address.
    pub fn pointer_bytes(&self) -> u64 {
        u64::from(self.pointer_bits / 8)
    }

    /// The function that the user gave to a thread which starts in `start`: library models start
    /// threads in functions of their own, whose first argument is the user's function.
    pub fn given_start(&self, start: FuncId, first_argument: Option<u128>) -> FuncId {
        if !self.function(start).is_model {
            return start;
        }
        let given = self.function_ids().find(|f| {
            let f = self.function(*f);
            !f.is_model && Some(u128::from(f.address)) == first_argument
        });
        given.unwrap_or(start)
    }

    /// Whether the program may install a handler for a signal: it sets actions other than constant
    /// ones, and somewhere uses the address of a function of its own whose first parameter can be the
    /// number of a signal.
    pub fn installs_handlers(&self) -> bool {
        let is_model = |f: &Function, name: &str| f.is_model && f.name == name;
        if !self.functions.iter().any(|f| is_model(f, "__raddle_set_action")) {
            return false;
        }
        let own = || self.functions.iter().filter(|f| !f.is_model).flat_map(|f| &f.blocks);
        // `signal(SIGPIPE, SIG_IGN)` installs none.
        let is_constant = |op: &Op| match op {
            Op::Call { callee: Callee::Direct(f), args, .. } => {
                !is_model(self.function(*f), "signal") || matches!(args[1], Operand::Const(_))
            }
            op => op.operands().iter().all(|o| match o {
                Operand::Function(f) => !is_model(self.function(*f), "signal"),
                Operand::Reg(_) | Operand::Const(_) | Operand::Global(..) => true,
            }),
        };
        let structures = self.functions.iter().any(|f| is_model(f, "sigaction"));
        if !structures && own().flat_map(|b| &b.instrs).all(|i| is_constant(&i.op)) {
            return false;
        }
        let can_handle = |operand: Operand| {
            let Operand::Function(id) = operand else { return false };
            let function = self.function(id);
            let first = function.params.first().is_none_or(|p| function.reg(*p).width <= 32);
            !function.is_model && function.params.len() <= 3 && first
        };
        let used = |b: &Block| {
            let inside = b.instrs.iter().flat_map(|i| i.op.operands());
            inside.chain(b.end.operand()).any(can_handle)
        };
        let kept = self.globals.iter().flat_map(|g| &g.pointers);
        own().any(used) || kept.map(|(_, o)| *o).any(can_handle)
    }

    /// A function.
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }

    /// A global.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }

    /// A source file.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// The ids of all functions.
    pub fn function_ids(&self) -> impl Iterator<Item = FuncId> + use<> {
        (0..self.functions.len()).map(FuncId::new)
    }

    /// The value of an operand that is not a register.
    pub fn constant(&self, operand: Operand) -> Option<u128> {
        match operand {
            Operand::Reg(_) => None,
            Operand::Const(c) => Some(c.value),
            Operand::Global(g, offset) => {
                let address = self.global(g).address.wrapping_add_signed(offset);
                Some(u128::from(address) & mask(self.pointer_bits))
            }
            Operand::Function(f) => Some(u128::from(self.function(f).address)),
        }
    }

    /// The width of an operand inside a function.
    pub fn width(&self, function: &Function, operand: Operand) -> u32 {
        match operand {
            Operand::Reg(r) => function.regs[r.index()].width,
            Operand::Const(c) => c.width,
            Operand::Global(..) | Operand::Function(_) => self.pointer_bits,
        }
    }

    /// The instruction of a reference, `None` for a terminator.
    pub fn instr(&self, at: InstrRef) -> Option<&Instr> {
        self.function(at.func).block(at.block).instrs.get(at.index as usize)
    }

    /// The place of an instruction or terminator.
    pub fn place(&self, at: InstrRef) -> Place {
        let block = self.function(at.func).block(at.block);
        block.instrs.get(at.index as usize).map_or(block.end_place, |i| i.place)
    }

    /// `file:line` of a place.
    pub fn show_place(&self, place: Place) -> String {
        if place.is_known() {
            format!("{}:{}", self.file(place.file).path, place.line)
        } else {
            "unknown place".to_string()
        }
    }

    /// The part of an object at an offset: `name.member`, `name+offset` where the type says
    /// nothing.
    pub fn show_part(&self, name: String, ctype: Option<TypeId>, offset: u64) -> String {
        let path = ctype.map(|ty| self.types.path(ty, offset, self.pointer_bytes()).0);
        match path {
            Some(path) if !path.is_empty() || offset == 0 => name + &path,
            Some(_) | None if offset == 0 => name,
            Some(_) | None => format!("{name}+{offset}"),
        }
    }
}

impl Function {
    /// A block.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// The ids of all blocks.
    pub fn block_ids(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.blocks.len()).map(BlockId::new)
    }

    /// A register.
    pub fn reg(&self, id: RegId) -> &Register {
        &self.regs[id.index()]
    }
}
