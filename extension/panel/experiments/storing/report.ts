import { savedStoring } from '@cachescope/model/storing/run.ts';
import { view } from './view.ts';
import { showReport } from '../../run/report-page.ts';

showReport(savedStoring, view);
