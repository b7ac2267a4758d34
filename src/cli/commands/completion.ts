import { Argument, type Command, type Option } from 'commander';
import { valuesOf } from '../option-spec.ts';
import { print } from '../output.ts';
import { SUMMARIES } from '../summaries.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What follows an option or is an argument: nothing, one of these words, a file, or any text. */
type Value = { readonly kind: 'none' | 'file' | 'text' } | { readonly kind: 'words'; readonly words: readonly string[] };
type Flag = { readonly name: string; readonly description: string; readonly value: Value };
type Described = { readonly name: string; readonly description: string; readonly flags: readonly Flag[]; readonly argument: Value };

const PATHS = /[<[](?:file|dir|report)(?:\.{3})?[>\]]/;

function valueAfter(option: Option): Value {
  const words = option.argChoices ?? valuesOf(option);
  if (words !== undefined) return { kind: 'words', words };
  if (!option.required && !option.optional) return { kind: 'none' };
  return { kind: PATHS.test(option.flags) ? 'file' : 'text' };
}

/** The first line of a text, without characters that are special to a shell. */
const plain = (text: string): string => text.replace(/ \(.*$/s, '').replace(/["'`\\$[\]:\n]/g, '');

function describe(command: Command): Described {
  const [argument] = command.registeredArguments;
  const words = argument?.argChoices ?? (argument === undefined ? undefined : valuesOf(argument));
  const isPath = argument !== undefined && PATHS.test(`<${argument.name()}>`);
  return {
    name: command.name(),
    description: plain(command.description()),
    flags: command.options.flatMap((option) =>
      option.long ? [{ name: option.long, description: plain(option.description), value: valueAfter(option) }] : [],
    ),
    argument:
      argument === undefined ? { kind: 'none' } : words === undefined ? { kind: isPath ? 'file' : 'text' } : { kind: 'words', words },
  };
}

function bash(commands: readonly Described[]): string {
  const ofValue = (value: Value): string => {
    switch (value.kind) {
      case 'words':
        return `COMPREPLY=($(compgen -W '${value.words.join(' ')}' -- "$current"))`;
      case 'file':
        return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current"))';
      case 'none':
      case 'text':
        return 'COMPREPLY=()';
      default:
        return value satisfies never;
    }
  };
  const cases = commands.map(({ name, flags, argument }) => {
    const valued = flags.filter(({ value }) => value.kind !== 'none');
    const values = valued.map((flag) => `        ${flag.name}) ${ofValue(flag.value)}; return ;;`);
    const names = ['--help', ...flags.map((flag) => flag.name)].join(' ');
    const before = values.length === 0 ? [] : ['      case "$previous" in', ...values, '      esac'];
    return [
      `    ${name})`,
      ...before,
      `      if [[ $current == -* ]]; then COMPREPLY=($(compgen -W '${names}' -- "$current")); return; fi`,
      `      ${ofValue(argument)}`,
      '      ;;',
    ].join('\n');
  });
  return `# bash completion for petstore-conformance
_petstore_conformance() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '--help --version ${commands.map(({ name }) => name).join(' ')}' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
}
complete -F _petstore_conformance petstore-conformance
`;
}

function zsh(commands: readonly Described[]): string {
  const action = (value: Value): string => (value.kind === 'words' ? `(${value.words.join(' ')})` : value.kind === 'file' ? '_files' : ' ');
  const argumentsOf = ({ flags, argument }: Described): string[] => [
    ...flags.map(({ name, description, value }) =>
      value.kind === 'none' ? `'*${name}[${description}]'` : `'*${name}[${description}]:${name.slice(2)}:${action(value)}'`,
    ),
    ...(argument.kind === 'none' ? [] : [`'*:argument:${action(argument)}'`]),
  ];
  const cases = commands.map(
    (command) => `    ${command.name}) _arguments ${["'--help[show help]'", ...argumentsOf(command)].join(' ')} ;;`,
  );
  return `#compdef petstore-conformance
_petstore_conformance() {
  local -a commands
  commands=(
${commands.map(({ name, description }) => `    '${name}:${description}'`).join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${cases.join('\n')}
  esac
}
compdef _petstore_conformance petstore-conformance
`;
}

function fish(commands: readonly Described[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const first = commands.map(
    ({ name, description }) =>
      `complete -c petstore-conformance -n "not __fish_seen_subcommand_from ${names}" -f -a ${name} -d '${description}'`,
  );
  const rest = commands.flatMap(({ name, flags, argument }) => {
    const condition = `complete -c petstore-conformance -n "__fish_seen_subcommand_from ${name}"`;
    const words = (value: Value): string =>
      value.kind === 'words' ? ` -f -a '${value.words.join(' ')}'` : value.kind === 'file' ? '' : ' -f';
    return [
      ...flags.map(
        (flag) =>
          `${condition} -l ${flag.name.slice(2)}${flag.value.kind === 'none' ? ' -f' : ` -r${words(flag.value)}`} -d '${flag.description}'`,
      ),
      ...(argument.kind === 'words' ? [`${condition}${words(argument)}`] : []),
    ];
  });
  return `# fish completion for petstore-conformance\n${[...first, ...rest].join('\n')}\n`;
}

/** A script that completes the commands, options, and arguments of the program. */
function completionScript({ commands }: Pick<Command, 'commands'>, shell: Shell): string {
  const described = commands.map(describe);
  switch (shell) {
    case 'bash':
      return bash(described);
    case 'zsh':
      return zsh(described);
    case 'fish':
      return fish(described);
    default:
      return shell satisfies never;
  }
}

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
