import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** The content of NAME/expected.json: sentences begin with the number of a row of departures.md if there is one. */
export type Expectation = {
  /** Every required or implied clause that the first run on the ordinary server finds broken. */
  readonly red: readonly string[];
  /** The likely causes in the report, in order. Each is true of the server: check the server's code before adding one. */
  readonly causes: readonly string[];
  /** The maximum number of lines of the terminal report at 100 columns. */
  readonly lines: number;
  /** What the author listed before the suite ran, each with the clause that reports it. */
  readonly departures: Readonly<Record<string, string>>;
  /** What the suite found and the author had not listed, each confirmed by hand. */
  readonly found: Readonly<Record<string, string>>;
  /** What the author listed although the document leaves it open, each with the reason. */
  readonly open: Readonly<Record<string, string>>;
  /** What the author listed and the first run does not report, each with the reason. */
  readonly missed: Readonly<Record<string, string>>;
};

/** Not a server: the tools that mutate some of them. */
const TOOLS = 'mutation';

/** The servers, by the names of their folders. */
export const servers: readonly string[] = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== TOOLS)
  .map(({ name }) => name)
  .sort();

/** What a server is expected to get wrong; throws for a server without the file. */
export function expectationOf(server: string): Expectation {
  return JSON.parse(readFileSync(join(FOLDER, server, 'expected.json'), 'utf8')) as Expectation;
}
