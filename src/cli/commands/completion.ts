import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion.ts';
import { print } from '../output.ts';
import { SUMMARIES } from '../summaries.ts';

/** `whole` returns the program with all of its commands. */
export function addCompletion(program: Command, whole: () => Promise<Command>): void {
  program
    .command('completion')
    .description(SUMMARIES.completion)
    .addArgument(new Argument('<shell>', 'for which shell').choices(SHELLS))
    .addHelpText(
      'after',
      `
bash:  petstore-conformance completion bash > ~/.local/share/bash-completion/completions/petstore-conformance
zsh:   petstore-conformance completion zsh > DIR/_petstore-conformance, with DIR in $fpath
fish:  petstore-conformance completion fish > ~/.config/fish/completions/petstore-conformance.fish`,
    )
    .action(async (shell: Shell) => print(completionScript(await whole(), shell)));
}
