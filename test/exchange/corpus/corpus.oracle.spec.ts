// Files of installed packages of Debian and npm: each is imported to a manifest that loads, or refused with a
// typed error that says why.
import { describe, expect, it } from 'vitest';
import { IMPORT_FORMATS } from '../../../src/exchange/import-formats.ts';
import { describeWith } from '../support/oracle.ts';
import { installedFiles, ownFiles } from './corpus-files.ts';
import { outcomeOf } from './imported-corpus.ts';

const FILES = installedFiles().filter(({ format }) => IMPORT_FORMATS.some(({ name }) => name === format));

/** A file that declares nothing to run, or breaks the syntax of its format, is refused. */
const EXPECTED_REFUSALS = ['ERR0802', 'ERR0804'];

describe('files of installed packages', () => {
  it('become manifests that load, or are refused with a typed error', async () => {
    const bad: string[] = [];
    let imported = 0;
    for (const file of FILES) {
      const outcome = await outcomeOf(file);
      if (outcome.tag === 'imported') imported += 1;
      if (outcome.tag === 'imported' && outcome.errors.length > 0)
        bad.push(`${file.path}: ${outcome.errors.join('; ')}`);
      if (outcome.tag === 'refused' && !EXPECTED_REFUSALS.includes(outcome.code))
        bad.push(`${file.path}: ${outcome.code}`);
    }
    process.stderr.write(`${imported} of ${FILES.length} files of installed packages were imported\n`);
    expect(bad).toEqual([]);
    expect(FILES.length).toBeGreaterThan(0);
  });
});

// systemd brings some of these files; a machine without it may have fewer.
describeWith('systemd-analyze')('the number of files', () => {
  it('the corpus and the installed packages have at least 60 files to import', () => {
    expect(ownFiles().length + FILES.length).toBeGreaterThanOrEqual(60);
  });
});
