//! The grammar of formulas: temporal operators and those of C in one tree.
//!
//! Loosest first: `<->`, `->` (to the right), `||`, `&&`, `U` `R` `W` (to the right), then the
//! operators of C from `|` to `*` with C's own precedence, then signs before an operand. `G`, `F` and
//! `X` take all of a comparison: `G x == 1` is `G (x == 1)`. Whether a part is a formula or a value is
//! asked later, when what it stands for is known.
//! Limits: [`MOST_WORDS`] words, [`MOST_DEEP`] operators inside each other.

use super::Wrong;
use super::words::{Placed, Word, words};

/// Most operators inside each other: nothing that people write, and the stack suffices.
const MOST_DEEP: usize = 200;
/// Most words: chains of `&&` are followed by calls inside each other, too.
const MOST_WORDS: usize = 2000;

/// A part of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    /// The column of its operator, or of its first word.
    pub column: usize,
    /// What it is.
    pub node: Node,
}

/// What a part is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// A name.
    Name(String),
    /// A number.
    Number(i128),
    /// `name(word)`: the function, the argument and its column.
    Call(String, String, usize),
    /// An element of an array.
    Element(Box<Tree>, Box<Tree>),
    /// A member of a structure.
    Member(Box<Tree>, String),
    /// An operator before its operand.
    Before(&'static str, Box<Tree>),
    /// An operator between two.
    Between(&'static str, Box<Tree>, Box<Tree>),
}

/// Temporal operators between two.
const BINARY: [&str; 3] = ["U", "R", "W"];
/// Those before one.
const UNARY: [&str; 3] = ["G", "F", "X"];
/// The operators of C between two, loosest first.
const LEVELS: &[&[&str]] = &[
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// Reads a formula.
pub fn parse(text: &str) -> Result<Tree, Wrong> {
    let words = words(text)?;
    if let Some((column, _)) = words.get(MOST_WORDS) {
        return Err(Wrong::new(*column, format!("more than {MOST_WORDS} words")));
    }
    let mut parser = Parser { words, at: 0, end: text.chars().count(), depth: 0 };
    let tree = parser.formula()?;
    match parser.words.get(parser.at) {
        None => Ok(tree),
        Some((column, word)) => {
            Err(Wrong::new(*column, format!("{} is not expected here", show(word))))
        }
    }
}

fn show(word: &Word) -> String {
    match word {
        Word::Name(name) => format!("`{name}`"),
        Word::Number(n) => format!("`{n}`"),
        Word::Sign(sign) => format!("`{sign}`"),
    }
}

struct Parser {
    words: Vec<Placed>,
    at: usize,
    /// The column behind the last character.
    end: usize,
    depth: usize,
}

impl Parser {
    fn column(&self) -> usize {
        self.words.get(self.at).map_or(self.end, |w| w.0)
    }

    /// The operator that comes next, if it is one of these.
    fn next_of(&self, signs: &[&'static str]) -> Option<&'static str> {
        let (_, word) = self.words.get(self.at)?;
        signs.iter().copied().find(|sign| match word {
            Word::Sign(s) => s == sign,
            Word::Name(name) => name == sign,
            Word::Number(_) => false,
        })
    }

    fn expect(&mut self, sign: &'static str, why: &str) -> Result<(), Wrong> {
        match self.next_of(&[sign]) {
            Some(_) => {
                self.at += 1;
                Ok(())
            }
            None => Err(Wrong::new(self.column(), format!("`{sign}` is missing {why}"))),
        }
    }

    fn between(&mut self, sign: &'static str, column: usize, a: Tree, b: Tree) -> Tree {
        Tree { column, node: Node::Between(sign, Box::new(a), Box::new(b)) }
    }

    fn deeper<T>(
        &mut self,
        inside: impl FnOnce(&mut Parser) -> Result<T, Wrong>,
    ) -> Result<T, Wrong> {
        if self.depth == MOST_DEEP {
            let message = format!("more than {MOST_DEEP} operators inside each other");
            return Err(Wrong::new(self.column(), message));
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    fn formula(&mut self) -> Result<Tree, Wrong> {
        self.deeper(|p| {
            let mut left = p.implication()?;
            while let Some(sign) = p.next_of(&["<->"]) {
                let column = p.column();
                p.at += 1;
                let right = p.implication()?;
                left = p.between(sign, column, left, right);
            }
            Ok(left)
        })
    }

    fn implication(&mut self) -> Result<Tree, Wrong> {
        let left = self.connected(&[&["||"], &["&&"]])?;
        let Some(sign) = self.next_of(&["->"]) else { return Ok(left) };
        let column = self.column();
        self.at += 1;
        let right = self.deeper(Parser::implication)?;
        Ok(self.between(sign, column, left, right))
    }

    /// `||` and `&&`, which group to the left.
    fn connected(&mut self, levels: &[&[&'static str]]) -> Result<Tree, Wrong> {
        let [level, rest @ ..] = levels else { return self.until() };
        let mut left = self.connected(rest)?;
        while let Some(sign) = self.next_of(level) {
            let column = self.column();
            self.at += 1;
            let right = self.connected(rest)?;
            left = self.between(sign, column, left, right);
        }
        Ok(left)
    }

    fn until(&mut self) -> Result<Tree, Wrong> {
        let left = self.operand()?;
        let Some(sign) = self.next_of(&BINARY) else { return Ok(left) };
        let column = self.column();
        self.at += 1;
        let right = self.deeper(Parser::until)?;
        Ok(self.between(sign, column, left, right))
    }

    /// What stands between temporal operators.
    fn operand(&mut self) -> Result<Tree, Wrong> {
        match self.next_of(&UNARY) {
            Some(sign) => self.temporal(sign),
            None => self.value(LEVELS),
        }
    }

    fn temporal(&mut self, sign: &'static str) -> Result<Tree, Wrong> {
        let column = self.column();
        self.at += 1;
        let inside = self.deeper(Parser::operand)?;
        Ok(Tree { column, node: Node::Before(sign, Box::new(inside)) })
    }

    fn value(&mut self, levels: &[&[&'static str]]) -> Result<Tree, Wrong> {
        let [level, rest @ ..] = levels else { return self.unary() };
        let mut left = self.value(rest)?;
        while let Some(sign) = self.next_of(level) {
            let column = self.column();
            self.at += 1;
            let right = self.value(rest)?;
            left = self.between(sign, column, left, right);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Tree, Wrong> {
        if let Some(sign) = self.next_of(&UNARY) {
            return self.temporal(sign);
        }
        let Some(sign) = self.next_of(&["!", "-", "~", "+"]) else { return self.postfix() };
        let column = self.column();
        self.at += 1;
        let inside = self.deeper(Parser::unary)?;
        Ok(Tree { column, node: Node::Before(sign, Box::new(inside)) })
    }

    fn postfix(&mut self) -> Result<Tree, Wrong> {
        let mut tree = self.primary()?;
        loop {
            let column = self.column();
            match self.next_of(&["[", ".", "->"]) {
                Some("[") => {
                    self.at += 1;
                    let index = self.deeper(Parser::formula)?;
                    self.expect("]", "after the index")?;
                    tree = Tree { column, node: Node::Element(Box::new(tree), Box::new(index)) };
                }
                Some(".") => {
                    self.at += 1;
                    let column = self.column();
                    let name = self.name("a member's name after `.`")?;
                    tree = Tree { column, node: Node::Member(Box::new(tree), name) };
                }
                Some(_) | None => return Ok(tree),
            }
        }
    }

    fn name(&mut self, what: &str) -> Result<String, Wrong> {
        match self.words.get(self.at) {
            Some((_, Word::Name(name))) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            Some(_) | None => Err(Wrong::new(self.column(), format!("expected {what}"))),
        }
    }

    fn primary(&mut self) -> Result<Tree, Wrong> {
        let column = self.column();
        let Some((_, word)) = self.words.get(self.at).cloned() else {
            return Err(Wrong::new(column, "the formula ends where an operand is expected"));
        };
        self.at += 1;
        match word {
            Word::Number(n) => Ok(Tree { column, node: Node::Number(n) }),
            Word::Name(name) if BINARY.contains(&name.as_str()) => {
                Err(Wrong::new(column, format!("`{name}` stands between two operands")))
            }
            Word::Name(name) => {
                if self.next_of(&["("]).is_none() {
                    return Ok(Tree { column, node: Node::Name(name) });
                }
                self.at += 1;
                let place = self.column();
                let argument = self.name("the name of a label or function")?;
                self.expect(")", "after the name")?;
                Ok(Tree { column, node: Node::Call(name, argument, place) })
            }
            Word::Sign("(") => {
                let inside = self.formula()?;
                self.expect(")", &format!("for the `(` in column {}", column + 1))?;
                Ok(inside)
            }
            Word::Sign(sign) => {
                Err(Wrong::new(column, format!("`{sign}` where an operand is expected")))
            }
        }
    }
}
