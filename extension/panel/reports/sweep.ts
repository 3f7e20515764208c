import { savedSweep } from '@cachescope/model/sweep/run.ts';
import { runView } from '../experiments/sweep/view.ts';
import { showReport } from '../run/report-page.ts';

showReport(savedSweep, runView);
