import type { PageLoad } from '@cachescope/model/pageload/load.ts';
import type { ReadPage } from '@cachescope/model/pageload/page.ts';
import type { PageloadPlan, PageloadRun } from '@cachescope/model/pageload/run.ts';
import type { Place } from '../../lab/place.ts';
import type { RunSession } from '../../lab/run-session.ts';
import type { Found } from '../experiment.ts';
import type { Visited } from './visit.ts';

/** What a page's loads are planned with. */
export interface PagePlanned {
  plan: PageloadPlan;
  read: ReadPage;
  headful: boolean;
}

/** What page loads work with. */
export interface PageFound extends PagePlanned, Found {
  plan: PageloadPlan;
}

/** Page loads while they run. */
export interface PageLab extends Visited {
  plan: PageloadPlan;
  session: RunSession<PageloadRun, PageLoad, PageFound>;
  /** Where the cache lies. */
  place: Place;
  random: () => number;
  /** Browser launches so far. */
  launches: number;
}
