//! `raddle explain` and `raddle man`: the manual.

use clap::CommandFactory;
use raddle_ir::Property;
use raddle_properties::PROPERTIES;

use crate::args::{Cli, ExplainArgs};
use crate::output;

/// Prints the page of a property, or the list of all.
pub fn run(args: &ExplainArgs) -> anyhow::Result<u8> {
    let text = match &args.property {
        None => list(),
        Some(name) => {
            let row = PROPERTIES.iter().find(|r| r.property.name() == name || r.svcomp == name);
            let Some(row) = row else {
                let known: Vec<&str> = Property::ALL.iter().map(|p| p.name()).collect();
                anyhow::bail!("there is no property `{name}`; there are {}", known.join(", "));
            };
            row.page.to_string()
        }
    };
    output::write(text.as_bytes());
    Ok(0)
}

fn list() -> String {
    let mut text = String::from("Properties (* checked without --property):\n\n");
    for row in PROPERTIES {
        let mark = if row.by_default { '*' } else { ' ' };
        text += &format!("{mark} {:<14}{}\n", row.property.name(), row.summary);
        if !row.svcomp.is_empty() {
            text += &format!("{:16}SV-COMP: {}\n", "", row.svcomp);
        }
    }
    text + "\n`raddle explain NAME` tells more.\n"
}

/// Prints the manual page of all commands.
pub fn manual() -> anyhow::Result<u8> {
    let mut text = Vec::new();
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    for sub in command.get_subcommands().filter(|s| s.get_name() != "help") {
        text.extend(format!("\n.SH COMMAND {}\n", sub.get_name().to_uppercase()).bytes());
        let man = clap_mangen::Man::new(sub.clone());
        man.render_synopsis_section(&mut text)?;
        man.render_description_section(&mut text)?;
        man.render_options_section(&mut text)?;
    }
    output::write(&text);
    Ok(0)
}
