import { Chart } from 'chart.js';
import { LineWithErrorBarsController, PointWithErrorBar } from 'chartjs-chart-error-bars';

// Imported by the charts that draw lines with intervals: the others need not carry it.
Chart.register(LineWithErrorBarsController, PointWithErrorBar);
