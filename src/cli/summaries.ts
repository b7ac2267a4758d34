/** What each command does, in the order of `--help`, which loads nothing else of the commands. */
export const SUMMARIES = {
  run: 'judge a server once, thoroughly',
  smoke: 'judge a server once, read-only, within seconds',
  monitor: 'judge configured targets continuously, read-only unless a target sets `writes`; metrics, status page, alerts',
  replay: 'repeat the failing exchanges of a run: fixed, still failing, flaky',
  explain: 'show what a clause requires, where it comes from, how it is judged, and what breaks it',
  list: 'what is judged, and what the reference server can do',
  report: 'write the reports of a run again, in any format',
  compare: 'compare the behavior of two runs: verdicts, observations, the shape of responses, latency',
  matrix: 'compare several runs, clause by clause: matrix.html and matrix.md',
  init: 'write .env, a waivers file and a CI pipeline into this folder',
  doctor: 'check whether a run can judge the service: settings, address, key, first contact',
  reference: 'serve the built-in reference server, which conforms unless a fault is set',
  completion: 'print a script that completes commands and options at the prompt',
  mcp: 'let a coding agent run, replay, explain and list, over the Model Context Protocol on standard input',
} as const;

export type CommandName = keyof typeof SUMMARIES;

/** The headings of `--help`, each with its commands. */
export const GROUPS: Readonly<Record<string, readonly CommandName[]>> = {
  'Judge a service:': ['run', 'smoke', 'monitor', 'replay'],
  'Understand the verdict:': ['explain', 'list', 'report', 'compare', 'matrix'],
  'Set up:': ['init', 'doctor', 'reference', 'completion', 'mcp'],
};
