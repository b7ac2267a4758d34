import type { AddHelpTextContext } from 'commander';

/** Columns of help that is not printed on a terminal, as commander has it. */
const WITHOUT_TERMINAL = 80;

/** What the help of a command says after its options: paragraphs, broken into lines as commander breaks those of options. */
export function helpNotes(...paragraphs: readonly string[]): (context: AddHelpTextContext) => string {
  return ({ command }) => {
    const width = command.configureOutput().getOutHelpWidth?.() ?? WITHOUT_TERMINAL;
    return `\n${paragraphs.map((paragraph) => command.createHelp().boxWrap(paragraph, width)).join('\n')}`;
  };
}
