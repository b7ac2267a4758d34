import { writeFileSync } from 'node:fs';
import { DOCUMENT, renderConfiguration } from './configuration.ts';

// `npm run docs:configuration`: after a change of an option or of a schema.
writeFileSync(DOCUMENT, renderConfiguration());
