-- The language server inside of Neovim, headless: diagnostics appear, renaming works, a file is laid out when it
-- is saved. Prints what it saw, and ends with 1 if something is missing.
--
--   RULES_CHECK=.build/debug/rules-check nvim --clean --headless -l Editors/Tests/neovim.lua
-- (before 0.9: nvim --clean --headless -c 'luafile Editors/Tests/neovim.lua')
local program = vim.fn.fnamemodify(os.getenv('RULES_CHECK') or 'rules-check', ':p')
local folder = vim.fn.tempname()
vim.fn.mkdir(folder, 'p')
local path = folder .. '/a.rules'
local text = {
  "rules_version = '2';",
  'service cloud.firestore {',
  '  match /databases/{database}/documents {',
  '    function owns(user) { return reqest.auth.uid == user; }',
  '    match /notes/{note} { allow   read:if owns( note ) ; }',
  '  }',
  '}',
}
vim.fn.writefile(text, path)

local function fail(message)
  io.stderr:write('FAILED: ' .. message .. '\n')
  vim.cmd('cquit 1')
end

local function see(what, condition)
  if not vim.wait(30000, condition, 50) then fail(what) end
  print('seen: ' .. what)
end

vim.cmd('edit ' .. path)
local id = vim.lsp.start_client({
  name = 'rules-check', cmd = { program, 'lsp' }, root_dir = folder,
})
if not id then fail('the server does not start') end
vim.lsp.buf_attach_client(0, id)

see('a diagnostic while typing', function()
  for _, one in ipairs(vim.diagnostic.get(0)) do
    if one.message:find('Invalid variable name: reqest', 1, true) then return one.lnum == 3 end
  end
end)

vim.api.nvim_buf_set_text(0, 3, 33, 3, 39, { 'request' })
see('the diagnostic is gone once it is mended', function()
  for _, one in ipairs(vim.diagnostic.get(0)) do
    if one.severity <= vim.diagnostic.severity.WARN then return false end
  end
  return true
end)

vim.api.nvim_win_set_cursor(0, { 4, 14 })
vim.lsp.buf.rename('isOwner')
see('a function is renamed where it is declared and called', function()
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  return lines[4]:find('function isOwner', 1, true) and lines[5]:find('isOwner( note )', 1, true)
end)

vim.api.nvim_create_autocmd('BufWritePre', {
  pattern = '*.rules',
  callback = function()
    if vim.lsp.buf.format then vim.lsp.buf.format() else vim.lsp.buf.formatting_sync(nil, 10000) end
  end,
})
vim.cmd('write')
local written = vim.fn.readfile(path)
local expected = {
  "rules_version = '2';",
  'service cloud.firestore {',
  '  match /databases/{database}/documents {',
  '    function isOwner(user) {',
  '      return request.auth.uid == user;',
  '    }',
  '    match /notes/{note} {',
  '      allow read: if isOwner(note);',
  '    }',
  '  }',
  '}',
}
if not vim.deep_equal(written, expected) then fail(table.concat(written, '\n')) end
print('seen: the file is laid out when it is saved')

vim.api.nvim_win_set_cursor(0, { 4, 14 })
local answers = vim.lsp.buf_request_sync(0, 'textDocument/hover',
  vim.lsp.util.make_position_params(0, 'utf-16'), 10000)
local hover = answers and answers[id] and answers[id].result
if not hover or not hover.contents.value:find('isOwner', 1, true) then fail('hover') end
print('seen: hover')

if os.getenv('SCREEN') then return end
vim.lsp.stop_client(id)
vim.cmd('qall!')
