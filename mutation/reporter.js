// A reporter of Stryker that writes each result at once, a JSON document a line: a run that is ended at its
// time limit keeps what it has found.
import { appendFileSync } from 'node:fs';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';

const file = process.env.MUTATION_RESULTS ?? 'mutation/results.jsonl';
const tell = (document) => appendFileSync(file, `${JSON.stringify(document)}\n`);

class LineReporter {
  onMutationTestingPlanReady({ mutantPlans }) {
    tell({ planned: mutantPlans.length });
  }

  onMutantTested({ fileName, status, mutatorName, location, replacement }) {
    const { line, column } = location.start;
    tell({ file: fileName, status, mutator: mutatorName, line, column, replacement });
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'lines', LineReporter)];
