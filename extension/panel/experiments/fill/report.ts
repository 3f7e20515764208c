import { savedFill } from '@cachescope/model/fill/run.ts';
import { view } from './view.ts';
import { showReport } from '../../run/report-page.ts';

showReport(savedFill, view);
