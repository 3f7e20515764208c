import { savedReclaim } from '@cachescope/model/reclaim/run.ts';
import { view } from './view.ts';
import { followRun } from '../../run/followed-run.ts';
import { showReport } from '../../run/report-page.ts';

followRun(showReport(savedReclaim, view));
