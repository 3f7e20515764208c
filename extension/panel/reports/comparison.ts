import { savedComparison } from '@cachescope/model/compare/run.ts';
import { comparisonView } from '../experiments/compare/view.ts';
import { showReport } from '../run/report-page.ts';

showReport(savedComparison, comparisonView);
