/** Registers the panel with DevTools. */
void chrome.devtools.panels.create('Cachescope', 'icons/icon-32.png', 'panel.html');
