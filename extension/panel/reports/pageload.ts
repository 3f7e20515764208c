import { savedPageload } from '@cachescope/model/pageload/run.ts';
import { pageloadView } from '../experiments/pageload/view.ts';
import { showReport } from '../run/report-page.ts';

showReport(savedPageload, pageloadView);
