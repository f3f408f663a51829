// The runner of Python's tests inside the sandbox. It reads the expected tests from the sources,
// saves the functions of the test framework, and only then loads foreign code; after each test, and
// at the end, it checks that they are unchanged. It exits by os._exit, so that exit handlers of
// foreign code do not run.
export const pythonRunnerPath = '/opt/assay/run_tests.py';

export const pythonRunner = String.raw`
import re, sys

# Plugins that run asynchronous tests, and the text of a file that needs them.
async_plugins = (('pytest_asyncio.plugin', b'async def'), ('anyio.pytest_plugin', b'mark.anyio'))

def main():
    import ast, asyncio, binascii, builtins, importlib.util, json, os, types, unittest, unittest.mock
    setting = json.loads(sys.stdin.read())
    nonce = setting['nonce']
    hexlify, write, leave = binascii.hexlify, os.write, os._exit
    lines = [0]

    def send_line(kind, name, message=''):
        def code(text):
            return hexlify(str(text).encode('utf-8', 'replace')).decode('ascii')
        data = (nonce + ' ' + kind + ' ' + code(name) + ' ' + code(message) + '\n').encode('ascii')
        while data:
            data = data[write(3, data):]
        lines[0] += 1

    def first_line(error):
        text = str(error).strip().split('\n')[0][:400]
        return type(error).__name__ + (': ' + text if text else '')

    # What must run, by the sources alone.
    trees, unread, plugins = {}, {}, set()
    for path in setting['tests']:
        with open('/box/' + path, 'rb') as file:
            source = file.read()
        try:
            trees[path] = ast.parse(source, path)
            plugins.update(name for name, mark in async_plugins if mark in source)
        except (SyntaxError, ValueError) as error:
            send_line('expect', path)
            unread[path] = first_line(error)
    # One that cannot be read must not hide what the others find.
    setting['tests'] = list(trees)
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)

    def methods(node):
        return [item.name for item in node.body if isinstance(item, functions) and item.name.startswith('test')]

    def name_of(base):
        return base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ''

    expected = set()
    for path, tree in trees.items():
        classes = {}
        cases = set()
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                bases = [name_of(base) for base in node.bases]
                inherited = [name for base in bases for name in classes.get(base, [])]
                classes[node.name] = inherited + methods(node)
                if any(base.endswith('TestCase') or base in cases for base in bases):
                    cases.add(node.name)
                is_test = node.name in cases or (setting['runner'] == 'pytest' and node.name.startswith('Test'))
                if is_test and not any(item.name == '__init__' for item in node.body if isinstance(item, functions)):
                    expected.update(path + '::' + node.name + '::' + name for name in classes[node.name])
            elif setting['runner'] == 'pytest' and isinstance(node, functions) and node.name.startswith('test'):
                expected.add(path + '::' + node.name)
    for name in sorted(expected):
        send_line('expect', name)

    if setting['runner'] == 'pytest':
        # Before any folder of the code is searched, so that none can pose as a plugin.
        setting['plugins'] = [name for name in sorted(plugins) if importlib.util.find_spec(name.partition('.')[0])]
        import pytest
        import _pytest.assertion.rewrite, _pytest.python, _pytest.runner, _pytest.skipping, _pytest.unittest
    roots = ('unittest', '_pytest', 'pytest', 'pluggy')

    def function_of(value):
        return value.__func__ if isinstance(value, (classmethod, staticmethod)) else value

    # Each module and class of the framework, with its functions as they are now.
    remembered = []

    def remember():
        for module_name, module in list(sys.modules.items()):
            if module is None or module_name.split('.')[0] not in roots:
                continue
            kinds = [value for value in vars(module).values() if isinstance(value, type) and value.__module__ == module_name]
            for holder in [module, *kinds]:
                for name, value in list(vars(holder).items()):
                    value = function_of(value)
                    if isinstance(value, types.FunctionType):
                        remembered.append((holder, name, value, value.__code__, value.__defaults__))
    real_assertion = builtins.AssertionError
    changed = []

    def check_changes():
        if changed:
            return
        if builtins.AssertionError is not real_assertion:
            changed.append('AssertionError')
        for holder, name, value, code_object, defaults in remembered:
            if function_of(vars(holder).get(name)) is not value or value.__code__ is not code_object or value.__defaults__ is not defaults:
                changed.append(holder.__name__ + '.' + name)
                return

    passed, failed, skipped = set(), dict(unread), set()

    def finish(code):
        for name in sorted(passed - set(failed) - skipped):
            send_line('pass', name)
        for name, message in failed.items():
            send_line('fail', name, message)
        for name in sorted(skipped - set(failed)):
            send_line('skip', name)
        if changed:
            send_line('tamper', '', changed[0] + ' was changed while the tests ran')
        link = sys.modules.get('assay_link')
        if link and link.reasons:
            send_line('unproven', '', link.reasons[0])
        send_line('end', '', lines[0])
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BaseException:
                pass
        leave(code)

    sys.path.insert(0, '/box')
    for path in setting['tests']:
        folder = '/box/' + path.rpartition('/')[0]
        if folder.rstrip('/') not in sys.path:
            sys.path.insert(0, folder.rstrip('/'))
    try:
        if not setting['tests']:
            finish(1)
        elif setting['runner'] == 'pytest':
            finish(run_pytest(setting, pytest, passed, failed, skipped, remember, check_changes, changed))
        else:
            remember()
            finish(run_unittest(setting, unittest, importlib.util, passed, failed, skipped, check_changes, first_line))
    except BaseException as error:
        failed['(run)'] = first_line(error)
        finish(1)


def run_unittest(setting, unittest, util, passed, failed, skipped, check_changes, first_line):
    suites = []
    where = {}
    loader = unittest.TestLoader()
    for path in setting['tests']:
        if not path.endswith('.py'):
            continue
        name = path[:-3].replace('/', '.')
        try:
            spec = util.spec_from_file_location(name, '/box/' + path)
            module = util.module_from_spec(spec)
            sys.modules[name] = module
            # What guards a script's own start must not run it.
            spec.loader.exec_module(module)
            suites.append(loader.loadTestsFromModule(module))
            where[name] = path
        except BaseException as error:
            failed[path] = first_line(error)

    def name_of(test):
        kind = type(test)
        if kind.__name__ == '_SubTest':
            return name_of(test.test_case)
        method = getattr(test, '_testMethodName', str(test))
        return where.get(kind.__module__, kind.__module__) + '::' + kind.__qualname__ + '::' + method

    class Result(unittest.TestResult):
        def stopTest(self, test):
            super().stopTest(test)
            check_changes()
        def addSuccess(self, test):
            passed.add(name_of(test))
        def addError(self, test, error):
            failed[name_of(test)] = first_line(error[1])
        addFailure = addError
        def addSkip(self, test, reason):
            skipped.add(name_of(test))
        def addExpectedFailure(self, test, error):
            passed.add(name_of(test))
        def addUnexpectedSuccess(self, test):
            failed[name_of(test)] = 'passed although it is expected to fail'
        def addSubTest(self, test, subtest, error):
            if error is not None:
                failed[name_of(test)] = first_line(error[1])
    unittest.TestSuite(suites).run(Result())
    check_changes()
    return 1 if failed else 0


def run_pytest(setting, pytest, passed, failed, skipped, remember, check_functions, changed):
    finished = []
    # Hooks that run a test or report its end, with their implementations: none may be added after the session has started.
    watched = ('pytest_runtestloop', 'pytest_runtest_protocol', 'pytest_runtest_call', 'pytest_pyfunc_call', 'pytest_runtest_makereport')
    known = []

    def answering(hook):
        return [(name, id(one)) for name in watched for one in getattr(hook, name).get_hookimpls()]

    def check_changes():
        check_functions()
        if not changed and known and answering(known[0]) != known[1]:
            changed.append('a hook of pytest')

    def reason_of(report):
        return str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr).split('\n')[0][:400]

    def lacks_import(report):
        return reason_of(report).startswith(('Skipped: could not import ', 'Skipped: async def function'))

    def last_line(text):
        line = text.split('\n')[-1][:300]
        places = re.findall(r'File "[^"\n]*?([^/"\n]+)", line (\d+)', text)
        is_syntax = re.match(r'E\s+(SyntaxError|IndentationError|TabError): ', line)
        return line + (' (' + places[-1][0] + ', line ' + places[-1][1] + ')' if is_syntax and places else '')

    class Plugin:
        # Last: plugins of pytest itself replace its functions during their set-up and restore them at the end.
        @pytest.hookimpl(trylast=True)
        def pytest_sessionstart(self, session):
            remember()
            known.extend([session.config.hook, answering(session.config.hook)])
        @pytest.hookimpl(tryfirst=True)
        def pytest_sessionfinish(self):
            check_changes()
            finished.append(True)
        def pytest_runtest_logreport(self, report):
            check_changes()
            name = report.nodeid.split('[')[0]
            if report.failed:
                crash = getattr(report.longrepr, 'reprcrash', None)
                failed[report.nodeid] = str(crash.message if crash else report.longrepr).split('\n')[0][:400]
            elif report.skipped and lacks_import(report):
                failed[report.nodeid] = reason_of(report)
            elif report.skipped:
                skipped.add(name)
            elif report.when == 'call' and report.passed:
                passed.add(name)
        def pytest_collectreport(self, report):
            name = report.nodeid or '(collection)'
            if report.failed:
                failed[name] = last_line(str(report.longrepr).strip())
            elif report.skipped and lacks_import(report):
                failed[name] = reason_of(report)
    options = ['-p', 'no:cacheprovider', '-c', '/dev/null', '--rootdir', '/box', '-q', '-o', 'addopts=', '--color=no', '--continue-on-collection-errors']
    for name in setting['plugins']:
        options += ['-p', name]
    if setting['plugins'] == ['pytest_asyncio.plugin']:
        options += ['-o', 'asyncio_mode=auto']
    paths = [path for path in setting['tests'] if path.endswith('.py') and path.rpartition('/')[2] != 'conftest.py']
    code = int(pytest.main(options + ['/box/' + path for path in paths], plugins=[Plugin()]))
    if not finished:
        failed['(run)'] = 'the session had no end'
    return code

main()
`;
