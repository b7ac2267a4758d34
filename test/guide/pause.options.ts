import { about, one, whole } from '../../src/cli/option-spec.ts';

export const sampleOptions = about('How fast, and how long:', {
  pause: one<number>({
    flags: '--pause <seconds>',
    help: 'wait so long before the first request',
    fallback: 0,
    parse: whole({ least: 0, most: 60, unit: ' (seconds)' }),
  }),
});
