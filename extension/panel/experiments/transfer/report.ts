import { savedTransfer } from '@cachescope/model/transfer/run.ts';
import { view } from './view.ts';
import { showReport } from '../../run/report-page.ts';

showReport(savedTransfer, view);
