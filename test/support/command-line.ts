import { type ParseArgsConfig, parseArgs } from 'node:util';

const WRONG_USAGE = 2;

/** Ends the program with one sentence: what is wrong with its command line, or with a file that it names. */
export function leave(sentence: string): never {
  process.stderr.write(`error: ${sentence}\n`);
  process.exit(WRONG_USAGE);
}

type Shape<Options extends NonNullable<ParseArgsConfig['options']>> = {
  /** The output of `--help`. */
  readonly usage: string;
  readonly options?: Options;
  /** How many words are allowed in addition to options. */
  readonly words?: number;
};

/**
 * The options and words of the command line. `--help` prints the usage and ends the program with 0; an unknown option ends it with one
 * sentence and 2.
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

/** A number of things, at least one; `what` names it in the error message. */
export function wholeNumber(text: string, what: string): number {
  if (!/^[1-9]\d*$/.test(text)) leave(`${what} takes an integer of at least 1, received "${text}"`);
  return Number(text);
}
