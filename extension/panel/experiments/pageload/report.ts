import { savedPageload } from '@cachescope/model/pageload/run.ts';
import { view } from './view.ts';
import { showReport } from '../../run/report-page.ts';

showReport(savedPageload, view);
