/** A program with its arguments and additional environment variables. */
export type Command = {
  readonly argv: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
};

/** The server that a program judges, and what a user of the program knows about it. */
export type Target = {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The date by the server's clock; undefined for today. */
  readonly now: string | undefined;
  /** An empty folder for the program's files. */
  readonly folder: string;
  /** What `prepare` has created, in the cache of the program. */
  readonly cache: string;
};

/** How a program ended. */
export type Ended = { readonly code: number | null; readonly output: string; readonly timedOut: boolean };

/** `failed`: the program says that the server is wrong; `undecided`: it could not judge, or ran out of time. */
export type Verdict = 'passed' | 'failed' | 'undecided';

/** A program that can judge a server, with the best configuration that we know. */
export type Peer = {
  /** The name of its folder and on the command line. */
  readonly name: string;
  readonly title: string;
  /** Its configuration, in a phrase for the table. */
  readonly configuration: string;
  /** When it is the better choice: a sentence for the page. */
  readonly better: string;
  /** A file that exists once it is installed, within its cache folder. */
  readonly program: string;
  /** Installs it into that folder. */
  install(cache: string): readonly Command[];
  version(cache: string): Command;
  /** Creates what it needs once, whatever the server. */
  prepare?(cache: string): Promise<void>;
  judge(target: Target): Command;
  verdict(ended: Ended): Verdict;
  /** Every server of the registry, or a sample of this many if a server takes long. */
  readonly sample?: number;
};

/** For most programs, 0 is a pass, one code is a finding, and any other says that the program itself failed. */
export function byExitCode(...findings: readonly number[]): (ended: Ended) => Verdict {
  return ({ code, timedOut }) => {
    if (timedOut || code === null) return 'undecided';
    if (code === 0) return 'passed';
    return findings.includes(code) ? 'failed' : 'undecided';
  };
}

/** Installs packages of the npm registry into a separate folder. */
export function npmInstall(cache: string, ...packages: readonly string[]): Command {
  return { argv: ['npm', 'install', '--prefix', cache, '--no-audit', '--no-fund', '--save-exact', ...packages] };
}
