// The animals that version 2 created: nobody can delete them, so an operator must at least know them. Remove this with version 4.

import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../wire/wording.ts';

const ANIMALS = "SELECT target, id, name FROM creation WHERE state <> 'refused' ORDER BY target, number";

/**
 * Logs the animals in the canary.db of version 2, at the first start of this version: its marker `canary.db.begun`, which was empty, says
 * that this is done. The database is only read.
 */
export function nameFormerAnimals(folder: string, log: (line: string) => void): void {
  const file = join(folder, 'canary.db');
  const marker = `${file}.begun`;
  if (!existsSync(file) || (statSync(marker, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  try {
    // Not opened as read-only: SQLite would leave its log files behind.
    const database = new DatabaseSync(file);
    database.exec('PRAGMA query_only = ON');
    const animals = database.prepare(ANIMALS).all();
    database.close();
    if (animals.length === 0) return;
    log(`version 2 created animals, which stay in the store, as nobody can delete them; ${file} is no longer used:`);
    for (const { target, id, name } of animals)
      log(`${String(target)}: ${id === null ? 'perhaps an animal' : `animal ${String(id)}`}, named ${String(name)}`);
    writeFileSync(marker, 'The monitor of version 3 has named the animals of this database in its log.\n', { mode: 0o600 });
  } catch (error) {
    log(`cannot name the animals that version 2 created, and that ${file} lists: ${messageOf(error)}`);
  }
}
