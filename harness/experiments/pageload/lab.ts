import type { PageLoad } from '@cachescope/model/pageload/load.ts';
import type { ReadPage } from '@cachescope/model/pageload/page.ts';
import type { PageloadPlan, PageloadRun } from '@cachescope/model/pageload/run.ts';
import type { Place } from '../../lab/place.ts';
import type { RunSession } from '../../lab/run-session.ts';
import type { Found } from '../experiment.ts';
import type { Visited } from './visit.ts';

/** The plan of the page loads, and the page. */
export interface PagePlanned {
  plan: PageloadPlan;
  read: ReadPage;
  headful: boolean;
}

/** The requirements of the page loads. */
export type PageFound = PagePlanned & Found;

/** The state of a run of page loads. */
export interface PageLab extends Visited {
  plan: PageloadPlan;
  session: RunSession<PageloadRun, PageLoad, PageFound>;
  /** The place of the cache. */
  place: Place;
  random: () => number;
  /** Browser launches so far. */
  launches: number;
}
