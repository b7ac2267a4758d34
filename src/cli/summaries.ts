// What each command does, in the order of `--help`, which loads nothing else of the commands.

const JUDGING = {
  run: 'judge a server once, thoroughly',
  smoke: 'judge a server once, read-only, within seconds',
  monitor: 'judge configured targets continuously, read-only; metrics, status page, alerts',
} as const;

const UNDERSTANDING = {
  explain:
    'show what a clause requires, where it comes from, how it is judged, and what breaks it; or list all clauses, situations, and faults',
  report: 'write the reports of a run again, in any format, or compare runs',
} as const;

const SETTING_UP = {
  init: 'write .env, a waivers file, and a CI pipeline into this folder',
  doctor: 'check whether a run can judge the service: settings, address, key, first contact',
  reference: 'serve the built-in reference server, which conforms unless a fault is set',
} as const;

/** The headings of `--help`, each with its commands. */
export const GROUPS = { 'Judge a service:': JUDGING, 'Understand the verdict:': UNDERSTANDING, 'Set up:': SETTING_UP } as const;

export const SUMMARIES = { ...JUDGING, ...UNDERSTANDING, ...SETTING_UP } as const;
