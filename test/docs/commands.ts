// Command lines of the documentation as words.

export const EXAMPLE_URL = 'https://pets.example/v1';

/** The words of a line, split as by a shell: quotes removed, a comment left out, variables of addresses filled in. */
function wordsOf(line: string): readonly string[] {
  const words = line.match(/(?:^|(?<=\s))#.*$|(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words
    .filter((word) => !word.startsWith('#'))
    .map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2').replaceAll(/\$\w*URL\b/g, EXAMPLE_URL));
}

/** How many words at the beginning set variables. */
function settingsIn(words: readonly string[]): number {
  const first = words.findIndex((word) => word !== 'export' && !/^[A-Z_]+=/.test(word));
  return first < 0 ? words.length : first;
}

/** The commands of a block, each as its words: continued lines joined, chained ones split, assignments before them left out. */
export function commandsOf(block: string): readonly (readonly string[])[] {
  const lines = block.replaceAll('\\\n', ' ').split('\n');
  return lines
    .flatMap((line) => line.split(' && '))
    .map((line) => wordsOf(line))
    .map((words) => words.slice(settingsIn(words)))
    .filter((words) => words.length > 0);
}

/** What `docker run` is told. */
export type ContainerRun = {
  readonly user: string | undefined;
  /** Variables that it passes on. */
  readonly variables: readonly string[];
  readonly mounts: readonly string[];
  readonly workdir: string | undefined;
  readonly image: string;
  /** What the program in the image gets. */
  readonly args: readonly string[];
};

const VALUED = ['--user', '-e', '-v', '-w'];

/** Reads the words of a `docker run`; throws for an option that it does not know. */
export function containerRunOf([program, run, ...words]: readonly string[]): ContainerRun {
  if (program !== 'docker' || run !== 'run') throw new Error(`${program} ${run} runs no container`);
  const given: (readonly [option: string, value: string])[] = [];
  let rest = words;
  while (rest[0]?.startsWith('-') === true) {
    const [option = '', value = ''] = rest;
    if (option !== '--rm' && !VALUED.includes(option)) throw new Error(`docker run ${option} is not known here`);
    given.push([option, value]);
    rest = rest.slice(option === '--rm' ? 1 : 2);
  }
  const values = (name: string): readonly string[] => given.flatMap(([option, value]) => (option === name ? [value] : []));
  const [image = '', ...args] = rest;
  return {
    ...{ user: values('--user')[0], variables: values('-e'), mounts: values('-v'), workdir: values('-w')[0] },
    ...{ image, args },
  };
}
