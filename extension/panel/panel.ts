import './panel.css';
document.body.textContent = 'x';
