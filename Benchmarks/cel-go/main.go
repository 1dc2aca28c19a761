// The users collection decided by cel-go, for Benchmarks/compare.py: a job as JSON comes in, the
// nanoseconds of one decision go out.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"syscall"

	"github.com/google/cel-go/cel"
)

// update is what one decision is about.
type update struct {
	Auth   map[string]string `json:"auth"`
	UserID string            `json:"userID"`
	Before map[string]string `json:"before"`
	After  map[string]string `json:"after"`
}

type job struct {
	Expression string   `json:"expression"`
	Allowed    []update `json:"allowed"`
	Denied     []update `json:"denied"`
	Runs       int      `json:"runs"`
	Seconds    float64  `json:"seconds"`
}

type figures struct {
	Median  float64 `json:"median"`
	Fastest float64 `json:"fastest"`
	Slowest float64 `json:"slowest"`
}

func main() {
	var work job
	if err := json.NewDecoder(os.Stdin).Decode(&work); err != nil {
		fail(err)
	}
	program := compile(work.Expression)
	allowed, denied := activations(work.Allowed), activations(work.Denied)
	for place := range allowed {
		if !decide(program, allowed[place]) || decide(program, denied[place]) {
			fail(fmt.Errorf("update %d is decided otherwise than the policy says", place))
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(measure(work, program, allowed)); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}

// compile declares the types and lets the planner optimise: what a user who cares would do. Nobody
// may be signed in, so the type of auth stays open.
func compile(expression string) cel.Program {
	fields := cel.MapType(cel.StringType, cel.StringType)
	env, err := cel.NewEnv(
		cel.Variable("auth", cel.DynType), cel.Variable("userID", cel.StringType),
		cel.Variable("before", fields), cel.Variable("after", fields))
	if err != nil {
		fail(err)
	}
	checked, issues := env.Compile(expression)
	if issues.Err() != nil {
		fail(issues.Err())
	}
	program, err := env.Program(checked, cel.EvalOptions(cel.OptOptimize))
	if err != nil {
		fail(err)
	}
	return program
}

func activations(updates []update) []cel.Activation {
	var made []cel.Activation
	for _, one := range updates {
		activation, err := cel.NewActivation(map[string]any{
			"auth": one.Auth, "userID": one.UserID, "before": one.Before, "after": one.After})
		if err != nil {
			fail(err)
		}
		made = append(made, activation)
	}
	return made
}

func decide(program cel.Program, activation cel.Activation) bool {
	value, _, err := program.Eval(activation)
	if err != nil {
		fail(err)
	}
	return value.Value() == true
}

func measure(work job, program cel.Program, activations []cel.Activation) figures {
	run := func(times int) float64 {
		start := processorTime()
		for place := 0; place < times; place++ {
			decide(program, activations[place%len(activations)])
		}
		return processorTime() - start
	}
	times, wanted := 1, work.Seconds*1e9
	taken := run(times)
	for taken < wanted/4 {
		times *= 4
		taken = run(times)
	}
	times = max(1, int(float64(times)*wanted/taken))
	var results []float64
	for range work.Runs {
		results = append(results, run(times)/float64(times))
	}
	sort.Float64s(results)
	return figures{results[len(results)/2], results[0], results[len(results)-1]}
}

// processorTime is that of the whole process in nanoseconds, the collection of garbage included.
func processorTime() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fail(err)
	}
	return float64(usage.Utime.Nano() + usage.Stime.Nano())
}
