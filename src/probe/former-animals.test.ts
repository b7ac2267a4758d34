import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { ownFolder } from '../../test/support/program.ts';
import { nameFormerAnimals } from './former-animals.ts';

const CREATION = `CREATE TABLE creation (
  number INTEGER PRIMARY KEY AUTOINCREMENT, target TEXT NOT NULL, base_url TEXT NOT NULL, at INTEGER NOT NULL,
  state TEXT NOT NULL, id TEXT, name TEXT NOT NULL, category_id TEXT NOT NULL, status TEXT);`;

/** A data folder of version 2 with these creations: target, state, id, and name. */
function dataFolder(...rows: readonly (readonly [target: string, state: string, id: string | null, name: string])[]): string {
  const folder = ownFolder();
  const database = new DatabaseSync(join(folder, 'canary.db'));
  database.exec(`PRAGMA journal_mode = WAL; ${CREATION}`);
  const insert = database.prepare(
    "INSERT INTO creation (target, base_url, at, state, id, name, category_id) VALUES (?, '', 0, ?, ?, ?, '1')",
  );
  for (const row of rows) insert.run(...row);
  database.close();
  return folder;
}

function said(folder: string): readonly string[] {
  const lines: string[] = [];
  nameFormerAnimals(folder, (line) => lines.push(line));
  return lines;
}

describe('nameFormerAnimals', () => {
  test('names what was created, and what may have been, at the first start only, and leaves the database unchanged', () => {
    const folder = dataFolder(
      ['staging', 'created', '9007199254740993', 'probeXaaa'],
      ['production', 'created', '7', 'probeXbbb'],
      ['production', 'refused', null, 'probeXccc'],
      ['production', 'ambiguous', null, 'probeXddd'],
      ['production', 'intent', null, 'probeXeee'],
    );
    const file = join(folder, 'canary.db');
    // As version 2 left it.
    writeFileSync(`${file}.begun`, '');
    const before = readFileSync(file);
    expect(said(folder)).toEqual([
      `version 2 created animals, which stay in the store, as nobody can delete them; ${file} is no longer used:`,
      'production: animal 7, named probeXbbb',
      'production: perhaps an animal, named probeXddd',
      'production: perhaps an animal, named probeXeee',
      'staging: animal 9007199254740993, named probeXaaa',
    ]);
    expect(said(folder)).toEqual([]);
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(folder).toSorted()).toEqual(['canary.db', 'canary.db.begun']);
  });

  test('says nothing, and creates nothing, where nothing was created', () => {
    for (const folder of [ownFolder(), dataFolder(['production', 'refused', null, 'probeXaaa'])]) {
      const before = readdirSync(folder);
      expect(said(folder)).toEqual([]);
      expect(readdirSync(folder)).toEqual(before);
    }
  });

  test('says at each start that it cannot read the database', () => {
    const folder = ownFolder();
    writeFileSync(join(folder, 'canary.db'), 'no database, but long enough to have a header that is none'.repeat(20));
    expect(said(folder)).toEqual([expect.stringMatching(/^cannot name the animals that version 2 created, .*: file is not a database$/)]);
    expect(said(folder)).toHaveLength(1);
  });
});
