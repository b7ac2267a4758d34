import { writeFileSync } from 'node:fs';
import { DOCUMENT, renderTable } from './render-table.ts';

// `npm run -w corpora table`: after a change of an expected.json.
writeFileSync(DOCUMENT, renderTable());
