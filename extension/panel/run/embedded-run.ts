import { type Parsed, parsedJson } from '@cachescope/model/parsed.ts';
import type { SavedExperiment } from '@cachescope/model/run/experiment.ts';

const name = 'This report';

/** The run embedded in a report; undefined when there is none. */
export function embeddedRun<Document extends { run: object }>(
  saved: SavedExperiment<Document>,
): Parsed<Document> | undefined {
  const text = document.querySelector('#run-document')?.textContent ?? '';
  if (text.trim() === '') return undefined;
  const json = parsedJson(name, text);
  return 'problems' in json ? json : saved.readWhole({ name, json: json.value });
}
