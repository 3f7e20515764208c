import { savedFill } from '@cachescope/model/fill/run.ts';
import { fillView } from '../experiments/fill/view.ts';
import { showReport } from '../run/report-page.ts';

showReport(savedFill, fillView);
