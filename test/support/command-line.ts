import { type ParseArgsConfig, parseArgs } from 'node:util';

const WRONG_USAGE = 2;

/** Ends the program: what is wrong with its command line, or with a file that it names, in one sentence. */
export function leave(sentence: string): never {
  process.stderr.write(`error: ${sentence}\n`);
  process.exit(WRONG_USAGE);
}

type Shape<Options extends NonNullable<ParseArgsConfig['options']>> = {
  /** What `--help` prints. */
  readonly usage: string;
  readonly options?: Options;
  /** How many words may stand there besides options. */
  readonly words?: number;
};

/**
 * The options of the command line, and the words that stand there besides. `--help` prints the usage and ends the program with 0; what is
 * no option of it ends in one sentence and 2.
 */
export function readCommandLine<const Options extends NonNullable<ParseArgsConfig['options']>>({
  usage,
  options,
  words = 0,
}: Shape<Options>) {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    const { values, positionals } = parseArgs({ args, options: options ?? ({} as Options), allowPositionals: words > 0 });
    if (positionals.length > words) leave(`"${positionals[words]}" is one word too many; --help shows the usage`);
    return { values, words: positionals };
  } catch (error) {
    const [sentence = ''] = error instanceof Error ? error.message.split(/\. |\n/) : [];
    return leave(`${sentence}; --help shows the usage`);
  }
}

/** A number of things, at least one; `what` names it if it is anything else. */
export function wholeNumber(text: string, what: string): number {
  if (!/^[1-9]\d*$/.test(text)) leave(`${what} takes an integer of at least 1, received "${text}"`);
  return Number(text);
}
