import { savedSweep } from '@cachescope/model/sweep/run.ts';
import { view } from './view.ts';
import { showReport } from '../../run/report-page.ts';

showReport(savedSweep, view);
