import { describe, expect, test } from 'vitest';
import { sampleRecord } from '../../test/report/sample-record.ts';
import { renderOneline } from './render-oneline.ts';

describe('renderOneline', () => {
  test('is one line with the verdict first and the name, which may have spaces, last', () => {
    const record = sampleRecord();
    const line = renderOneline({ ...record, target: { ...record.target, name: 'staging\nof the shop' } });
    const { length } = record.clauses;
    expect(line).toMatch(
      new RegExp(
        `^not-conformant clauses=${length} passed=\\d+ failed=\\d+ warnings=\\d+ waived=\\d+ inconclusive=\\d+ target=staging of the shop\\n$`,
      ),
    );
    expect(line).not.toContain('failed=0');
  });

  test('names the address in records of earlier versions, which have no name', () => {
    const { name: _name, ...target } = sampleRecord().target;
    expect(renderOneline({ ...sampleRecord(), target })).toContain(`target=${target.baseUrl}\n`);
  });
});
