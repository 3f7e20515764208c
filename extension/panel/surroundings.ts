import type { RunDocument } from '@cachescope/model/run/run.ts';
import type { Resource } from '@cachescope/model/load/load.ts';
import type { TemplateResult } from 'lit';
import type { LabRequest } from './commands.ts';
import type { BodyCost } from './drawer/body-cost.ts';
import type { LoadConnection } from './loads/connection.ts';
import type { PanelState, Update } from './panel-state.ts';
import type { ViewTools } from './run/view-tools.ts';

/** The environment of the panel: the extension provides all of it, a report only a part. */
export interface Surroundings {
  /** null: the page is not part of the extension. */
  connection: LoadConnection | null;
  viewRun: (document: RunDocument, tools: ViewTools) => TemplateResult;
  /** Opens files that the user chose or dropped; absent: the page shows only its own data. */
  openFiles?: (files: readonly File[], update: Update) => Promise<void>;
  /** Compresses the body of a resource; absent: bodies are not available. */
  measureCost?: (resource: Resource, signal: AbortSignal) => Promise<Omit<BodyCost, 'sequence'>>;
  /** Absent: no lab can be connected. */
  lab?: {
    ask: (request: LabRequest, update: Update) => Promise<void>;
    findStoredSizes: (state: PanelState, update: Update) => Promise<void>;
  };
}
