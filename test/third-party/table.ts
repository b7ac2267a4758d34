import { writeFileSync } from 'node:fs';
import { DOCUMENT, renderTable } from './render-table.ts';

// `npm run third-party:table`: after a change of an expected.json.
writeFileSync(DOCUMENT, renderTable());
