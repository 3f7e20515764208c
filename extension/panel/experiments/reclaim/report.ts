import { reclaim } from '@cachescope/model/reclaim/declaration.ts';
import { viewOf } from '../../page/view.ts';
import { followRun } from '../../run/followed-run.ts';
import { showReport } from '../../run/report-page.ts';

// It also follows a run that is under way.
followRun(showReport(reclaim, viewOf(reclaim)));
