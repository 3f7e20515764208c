import { savedComparison } from '@cachescope/model/compare/run.ts';
import { view } from './view.ts';
import { showReport } from '../../run/report-page.ts';

showReport(savedComparison, view);
