import { savedMicro } from '@cachescope/model/micro/run.ts';
import { microView } from '../experiments/micro/view.ts';
import { showReport } from '../run/report-page.ts';

showReport(savedMicro, microView);
