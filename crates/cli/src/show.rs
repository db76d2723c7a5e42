//! `raddle show` and `raddle export`: what raddle makes of a program.

use raddle_frontend::Options;
use raddle_ir::{FuncId, Program, print};

use crate::args::{ExportArgs, ShowArgs, Stage};
use crate::{load, output};

/// Prints a stage.
pub fn run(args: &ShowArgs) -> anyhow::Result<u8> {
    let checked = load::properties(&args.input.property)?;
    let options = Options {
        pointer_bits: args.input.pointer_bits(),
        clang: args.input.clang.clone(),
        clang_args: args.input.all_clang_args(),
        checked,
        keep_llvm: args.stage == Stage::Llvm,
    };
    let loaded = load::with_options(&args.input, &options)?;
    for warning in &loaded.warnings {
        output::remark(warning);
    }
    let text = match args.stage {
        Stage::Llvm => {
            let show = |(file, text): &(String, String)| format!("; {file}\n{text}\n");
            loaded.llvm.iter().map(show).collect()
        }
        Stage::Program => program_text(&loaded.program, args),
        Stage::Cells | Stage::Skeleton => anyhow::bail!("this stage cannot be shown yet"),
    };
    output::write(text.as_bytes());
    Ok(0)
}

/// The program's text, possibly only of some functions.
fn program_text(program: &Program, args: &ShowArgs) -> String {
    let all = args.models && args.function.is_none();
    if all {
        return print::program(program);
    }
    let wanted = |id: &FuncId| {
        let function = program.function(*id);
        let named = args.function.as_ref().is_none_or(|part| function.name.contains(part));
        named && (args.models || args.function.is_some() || !function.is_model)
    };
    program
        .function_ids()
        .filter(wanted)
        .map(|id| print::function(program, program.function(id)) + "\n")
        .collect()
}

/// Writes the formula of a program.
pub fn export(args: &ExportArgs) -> anyhow::Result<u8> {
    let _ = args;
    anyhow::bail!("export is not available yet")
}
