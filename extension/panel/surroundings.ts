import type { RunDocument } from '@cachescope/model/run/run.ts';
import type { Resource } from '@cachescope/model/load/load.ts';
import type { TemplateResult } from 'lit';
import type { LabRequest } from './commands.ts';
import type { BodyCost } from './drawer/body-cost.ts';
import type { LoadConnection } from './loads/connection.ts';
import type { PanelState, Update } from './panel-state.ts';
import type { ViewTools } from './run/view-tools.ts';

/** What the panel stands in: the extension has all of it, a report of loads hardly any. */
export interface Surroundings {
  /** null: there is no extension around it. */
  connection: LoadConnection | null;
  viewRun: (document: RunDocument, tools: ViewTools) => TemplateResult;
  /** Opens files that the user chose or dropped; absent: the page shows what it carries and nothing else. */
  openFiles?: (files: readonly File[], update: Update) => Promise<void>;
  /** Compresses the body of a resource; absent: no body is at hand. */
  measureCost?: (resource: Resource, signal: AbortSignal) => Promise<BodyCost>;
  /** absent: no lab can be connected. */
  lab?: {
    ask: (request: LabRequest, update: Update) => Promise<void>;
    findStoredSizes: (state: PanelState, update: Update) => Promise<void>;
  };
}
